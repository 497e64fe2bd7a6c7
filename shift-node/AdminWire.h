#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "control-plane/ControlPlane.h"
#include "control-plane/Explanation.h"
#include "shift-node/ActivityLog.h"
#include "shift-node/CacheKeeper.h"
#include "shift-node/TrafficLedger.h"
#include "shift-node/control/LiveParameters.h"
#include "shift-node/control/RequestRecorder.h"
#include "thrift/admin_types.h"

namespace shift::node {

// What the admin service tells, in the words of its IDL.

wire::Traffic toWire(const std::string& name, const Traffic& traffic);
/** What happened between two points. */
wire::Activity toWire(const ActivityPoint& from, const ActivityPoint& to);
wire::HistoryPoint toHistoryPoint(const ActivityPoint& start, const ActivityPoint& point);
wire::NodeParameter toWire(const LiveParameters::Setting& setting);
wire::Explanation toWire(const control::Explanation& explanation);
wire::BucketView toWire(const wire::Traffic& traffic, const control::BucketDescription& bucket);
wire::TraceInfo toWire(const RequestRecorder::Recording& recording);
wire::Eviction toWire(const CacheKeeper::Evicted& evicted);
wire::Verification toWire(const CacheKeeper::Step& step);

}  // namespace shift::node
