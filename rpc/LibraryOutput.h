#pragma once

namespace shift::rpc {

/** The library reports closed connections, refused binds and servers that are down by itself; that is our
 * log's to decide. */
void silenceLibrary();

}  // namespace shift::rpc
