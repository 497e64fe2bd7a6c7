#include "gms/GmsServer.h"

int main(int argc, char** argv) {
  shift::SystemClock clock;
  shift::gms::GmsConfig config;
  shift::ConfigSchema schema;
  shift::gms::describe(config, schema);
  return shift::serverMain(argc, argv,
                           {.name = "shift-gms",
                            .summary = "Global Metadata Store: the dataset specs of training jobs",
                            .schema = schema,
                            .start = [&] { return shift::gms::GmsServer::start(config, clock); }});
}
