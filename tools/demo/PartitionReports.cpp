#include "tools/demo/PartitionReports.h"

#include <algorithm>

namespace shift::demo {

PartitionReports::PartitionReports(gms::GmsClient& gms, std::string id, const TourJob& job,
                                   const Dataset& dataset)
    : gms_(gms), id_(std::move(id)), parts_(job.partitions.size()) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Partition& partition = dataset.partitions[job.partitions[i]];
    end += partition.files.size();
    parts_[i].partition = &partition;
    parts_[i].end = end;
    parts_[i].left = partition.files.size();
  }
}

Status PartitionReports::fileRead(std::size_t place) {
  const auto part = std::ranges::find_if(parts_, [&](const Part& one) { return place < one.end; });
  if (--part->left > 0) {
    return {};
  }
  wire::JobRead read;
  read.__set_job(id_);
  read.__set_directory(part->partition->directory);
  read.__set_finished(true);
  wire::Report report;
  report.__set_reporter("readers of " + id_);
  report.__set_sequence(++reports_);
  report.__set_reads({read});
  const Result<wire::ReportOutcome> told = gms_.report(report);
  return told ? Status() : Status(told.error());
}

}  // namespace shift::demo
