#pragma once

#include <string>

#include "common/Result.h"
#include "control-plane/ReadRequest.h"
#include "thrift/read_types.h"

namespace shift::node {

/**
 * What a request off the network is about, if every field makes sense and its block id is the one that its
 * tags say; else why not. The id is computed anew, so no client can plant bytes under another's. Pure.
 */
Result<control::ReadRequest> recogniseRead(const wire::GetRequest& request, const std::string& storeName);

}  // namespace shift::node
