#include "shift-node/StateFile.h"

#include <filesystem>
#include <vector>

#include "common/ByteSize.h"
#include "common/ConfigSchema.h"
#include "common/ReplaceFile.h"

namespace shift::node {
namespace {

/** The same keys for reading and writing: it is a file like a node's configuration. */
struct Fields {
  std::vector<std::string> parameters;  // "key=value"
  std::uint64_t flashWrittenBytes = 0;
  ConfigSchema schema;

  Fields() {
    schema.textList("parameters", parameters, "what was set while the node ran");
    schema.byteSize("flash_written", flashWrittenBytes, 0, ~std::uint64_t{0} >> 1,
                    "what the node's flash files were written with in all");
  }
};

}  // namespace

Result<NodeState> loadState(const std::string& path) {
  if (!std::filesystem::exists(path)) {
    return NodeState();
  }
  Fields fields;
  try {
    fields.schema.load(path, {});
  } catch (const ConfigError& error) {
    return Error{ErrorCode::kCorrupt, error.what()};
  }
  NodeState state;
  state.flashWrittenBytes = fields.flashWrittenBytes;
  for (const std::string& setting : fields.parameters) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) {
      return Error{ErrorCode::kCorrupt, path + ": parameters: \"" + setting + "\" is not \"key=value\""};
    }
    state.parameters[setting.substr(0, equals)] = setting.substr(equals + 1);
  }
  return state;
}

Status saveState(const std::string& path, const NodeState& state) {
  Fields fields;
  fields.flashWrittenBytes = state.flashWrittenBytes;
  for (const auto& [key, value] : state.parameters) {
    fields.parameters.push_back(key + "=" + value);
  }
  return replaceFile(path, fields.schema.print());
}

}  // namespace shift::node
