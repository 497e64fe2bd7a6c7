#include <cstdio>
#include <cstdlib>
#include <chrono>
#include "tools/sim/Policies.h"
using namespace shift; using namespace shift::sim;
int main(int c, char** v) {
  Skew skew{.jobSpread=std::atof(v[1]), .drift=std::atof(v[2]), .readerDrift=std::atof(v[3]), .driftSeconds=std::atof(v[4]), .startSpread=std::atof(v[5])};
  int seeds = std::atoi(v[6]);
  for (auto w : {synchronizedWorkload(), pipelinedWorkload(), sequentialWorkload()}) {
    double sums[7] = {};
    double times[7] = {}; double wr[7]={};
    for (int s = 1; s <= seeds; ++s) {
      Trace t = generate(w, {.scale = 1.0/64, .seed = (unsigned)s, .skew = skew});
      int i = 0;
      for (auto p : policyNames()) {
        if (c > 7 && i > std::atoi(v[7])) break;
        auto a = std::chrono::steady_clock::now();
        Outcome o = runPolicy(t, p, {});
        times[i] += std::chrono::duration<double>(std::chrono::steady_clock::now() - a).count();
        wr[i] += o.writtenBytes / std::max(1.0, o.absorbedBytes());
        sums[i++] += o.absorbedShare();
      }
    }
    std::printf("%-13s", w.name.c_str());
    for (int i = 0; i < 7; ++i) std::printf(" %s %.4f (%.2f) %.1fs |", std::string(policyNames()[i]).c_str(), sums[i]/seeds, sums[i]/sums[1], times[i]);
    std::printf("\n"); 
  }
}
