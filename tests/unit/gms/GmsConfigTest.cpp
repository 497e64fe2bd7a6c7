#include "gms/GmsConfig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace shift::gms {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string printedWith(const std::string& database) {
  GmsConfig config;
  config.database = database;
  return printedForAll(config);
}

TEST(GmsConfig, ShowsEverythingButPasswords) {
  EXPECT_THAT(printedWith("postgresql://ann:s3cr3t@db.local:5432/gms"),
              HasSubstr("database = \"postgresql://ann:***@db.local:5432/gms\""));
  EXPECT_THAT(printedWith("postgresql://ann:s3@cr3t@db/gms"), HasSubstr("\"postgresql://ann:***@db/gms\""))
      << "the last @ ends the password";
  EXPECT_THAT(printedWith("postgresql://db/gms?user=ann&password=s3cr3t&sslmode=require"),
              HasSubstr("\"postgresql://db/gms?user=ann&password=***&sslmode=require\""));
  EXPECT_THAT(printedWith("postgresql://ann:s3/cr3t@db/gms"), Not(HasSubstr("cr3t")));
  EXPECT_THAT(printedWith("postgresql://db/gms?sslpassword=s3cr3t"), Not(HasSubstr("s3cr3t")));
}

TEST(GmsConfig, ShowsWhatHoldsNoPasswordAsItIs) {
  for (const char* database :
       {"postgresql://ann@db:5432/gms", "postgresql:///gms?host=/run/postgresql", "/data/a:b@c"}) {
    EXPECT_THAT(printedWith(database), HasSubstr(std::string("database = \"") + database + "\""));
  }
}

}  // namespace
}  // namespace shift::gms
