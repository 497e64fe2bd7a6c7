#include "shift-node/Node.h"

int main(int argc, char** argv) {
  shift::SystemClock clock;
  shift::node::NodeConfig config;
  shift::ConfigSchema schema;
  shift::node::describe(config, schema);
  return shift::serverMain(argc, argv,
                           {.name = "shift-node",
                            .summary = "A storage node: caches segments of a backing store for training jobs",
                            .schema = schema,
                            .start = [&] { return shift::node::Node::start(config, clock); }});
}
