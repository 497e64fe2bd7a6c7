#include "gms/hive/Predicate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace shift::gms {
namespace {

constexpr std::size_t kMaxLength = 4096;
constexpr std::string_view kOperators[] = {"!=", "<=", ">=", "=", "<", ">"};  // the longer ones first

bool isSpace(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

bool isKeyCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
}

bool holds(std::string_view comparison, int order) {
  if (comparison == "=") {
    return order == 0;
  }
  if (comparison == "!=") {
    return order != 0;
  }
  if (comparison == "<") {
    return order < 0;
  }
  if (comparison == "<=") {
    return order <= 0;
  }
  return comparison == ">" ? order > 0 : order >= 0;
}

}  // namespace

std::optional<std::int64_t> wholeNumber(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  return fault == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

int compareValues(std::string_view a, std::string_view b) {
  const auto x = wholeNumber(a);
  const auto y = wholeNumber(b);
  if (x && y && *x != *y) {
    return *x < *y ? -1 : 1;
  }
  return x && y ? 0 : a.compare(b);
}

class Predicate::Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Predicate> parse() {
    if (text_.size() > kMaxLength) {
      return fault(fmt::format("is longer than {} bytes", kMaxLength));
    }
    Predicate predicate;
    do {
      Comparison comparison;
      comparison.key = takeWhile(isKeyCharacter);
      if (comparison.key.empty()) {
        return fault("expected a partition key");
      }
      comparison.comparison = takeOperator();
      if (comparison.comparison.empty()) {
        return fault("expected one of = != < <= > >=");
      }
      const std::optional<std::string> value = takeValue();
      if (!value) {
        return fault("expected a value, such as 2026-10-01 or 'a b'");
      }
      comparison.value = *value;
      predicate.comparisons_.push_back(std::move(comparison));
    } while (takeAnd());
    skipSpace();
    if (at_ < text_.size()) {
      return fault("expected \"and\", or the end");
    }
    return predicate;
  }

 private:
  Error fault(const std::string& what) const {
    return {ErrorCode::kInvalidArgument, fmt::format("at character {}: {}", at_ + 1, what)};
  }

  void skipSpace() {
    while (at_ < text_.size() && isSpace(text_[at_])) {
      ++at_;
    }
  }

  template <typename Wanted>
  std::string takeWhile(Wanted wanted) {
    skipSpace();
    const std::size_t begin = at_;
    while (at_ < text_.size() && wanted(text_[at_])) {
      ++at_;
    }
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string takeOperator() {
    skipSpace();
    for (const std::string_view one : kOperators) {
      if (text_.substr(at_).starts_with(one)) {
        at_ += one.size();
        return std::string(one);
      }
    }
    return "";
  }

  std::optional<std::string> takeValue() {
    skipSpace();
    if (at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"')) {
      const std::size_t end = text_.find(text_[at_], at_ + 1);
      if (end == std::string_view::npos) {
        return std::nullopt;
      }
      std::string value(text_.substr(at_ + 1, end - at_ - 1));
      at_ = end + 1;
      return value;
    }
    std::string value = takeWhile(
        [](char c) { return !isSpace(c) && std::string_view("=!<>'\"").find(c) == std::string_view::npos; });
    return value.empty() ? std::nullopt : std::optional(std::move(value));
  }

  bool takeAnd() {
    const std::size_t before = at_;
    std::string word = takeWhile([](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
    std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::tolower(c); });
    if (word != "and") {
      at_ = before;
    }
    return word == "and";
  }

  const std::string_view text_;
  std::size_t at_ = 0;
};

Result<Predicate> Predicate::parse(std::string_view text) {
  return Parser(text).parse();
}

bool Predicate::matches(const PartitionKeys& keys) const {
  return std::ranges::all_of(comparisons_, [&](const Comparison& wanted) {
    const auto key = std::ranges::find(keys, wanted.key, &std::pair<std::string, std::string>::first);
    return key != keys.end() && holds(wanted.comparison, compareValues(key->second, wanted.value));
  });
}

}  // namespace shift::gms
