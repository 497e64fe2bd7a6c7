#include "gms/database/Database.h"

#include <charconv>

namespace shift::gms {
namespace {

template <typename Number>
Number parse(const std::string& text) {
  Number number{};
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

std::int64_t Row::number(std::size_t column) const {
  return parse<std::int64_t>(text(column));
}

double Row::real(std::size_t column) const {
  return parse<double>(text(column));
}

Transaction::~Transaction() {
  if (open_) {
    try {
      database_.rollback();
    } catch (const DatabaseError&) {
      // The transaction is over already, ended by the very fault that brought us here.
    }
  }
}

void Transaction::commit() {
  database_.commit();
  open_ = false;
}

}  // namespace shift::gms
