#include "common/HostPort.h"

#include <gtest/gtest.h>

namespace shift {
namespace {

TEST(HostPort, ReadsNamesAndBothFamilies) {
  EXPECT_EQ(*parseHostPort("127.0.0.1:7000"), (HostPort{"127.0.0.1", 7000}));
  EXPECT_EQ(*parseHostPort("node-3:0"), (HostPort{"node-3", 0}));
  EXPECT_EQ(*parseHostPort("[::1]:65535"), (HostPort{"::1", 65535}));
}

TEST(HostPort, PrintsWhatItReads) {
  for (const char* text : {"127.0.0.1:7000", "[::1]:80"}) {
    EXPECT_EQ(toString(*parseHostPort(text)), text);
  }
}

TEST(HostPort, RefusesWithTheFaultNamed) {
  EXPECT_NE(parseHostPort("host").error().message.find("port is missing"), std::string::npos);
  EXPECT_NE(parseHostPort(":80").error().message.find("host is missing"), std::string::npos);
  EXPECT_NE(parseHostPort("::1:80").error().message.find("brackets"), std::string::npos);
  EXPECT_NE(parseHostPort("h:65536").error().message.find("0 to 65535"), std::string::npos);
  EXPECT_NE(parseHostPort("h:8o").error().message.find("0 to 65535"), std::string::npos);
}

}  // namespace
}  // namespace shift
