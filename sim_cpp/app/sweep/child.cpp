// SPDX-License-Identifier: Apache-2.0
#include "app/sweep/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include "muster/core/error.hpp"

namespace muster::app::sweep {

namespace {

constexpr int kNoProgram = 127;

/// Only what may be called between fork and exec.
[[noreturn]] void become(const char* const* words, const char* const* settings, const char* folder,
                         const int (&ends)[2], pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kNoProgram);  // it has died meanwhile
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (nothing < 0 || ::dup2(nothing, STDIN_FILENO) < 0 || ::dup2(ends[0], STDOUT_FILENO) < 0 ||
      ::dup2(ends[1], STDERR_FILENO) < 0 || ::chdir(folder) != 0)
    ::_exit(kNoProgram);
  ::execve("/proc/self/exe", const_cast<char* const*>(words), const_cast<char* const*>(settings));
  ::_exit(kNoProgram);
}

/// The environment without what a launcher of MPI tells its own processes.
std::vector<const char*> settings_of_children() {
  std::vector<const char*> settings;
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string_view setting = *at;
    if (!setting.starts_with("OMPI_") && !setting.starts_with("PMI")) settings.push_back(*at);
  }
  settings.push_back(nullptr);
  return settings;
}

}  // namespace

Child::Child(const std::string& program, const std::vector<std::string>& words,
             const std::filesystem::path& folder) {
  const std::string where = folder.string();
  std::vector<const char*> argv{program.c_str()};
  for (const std::string& word : words) argv.push_back(word.c_str());
  argv.push_back(nullptr);
  const std::vector<const char*> settings = settings_of_children();
  int out[2] = {-1, -1}, err[2] = {-1, -1};
  if (::pipe2(out, O_CLOEXEC) == 0 && ::pipe2(err, O_CLOEXEC) == 0) {
    const int ends[2] = {out[1], err[1]};
    const pid_t parent = ::getpid();
    process_ = ::fork();
    if (process_ == 0) become(argv.data(), settings.data(), where.c_str(), ends, parent);
  }
  const int error = errno;
  for (const int end : {out[1], err[1]})
    if (end >= 0) ::close(end);
  pipes_ = {out[0], err[0]};
  for (const int pipe : pipes_)
    if (pipe >= 0) ::fcntl(pipe, F_SETFL, O_NONBLOCK);
  if (process_ > 0) return;
  for (const int pipe : pipes_)
    if (pipe >= 0) ::close(pipe);
  throw InputError(
      fmt::format("--jobs: cannot start a process: {}; use fewer", std::strerror(error)));
}

Child::~Child() {
  for (const int pipe : pipes_)
    if (pipe >= 0) ::close(pipe);
  if (process_ <= 0) return;
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

void Child::read(std::size_t pipe) {
  char block[1 << 16];
  while (pipes_[pipe] >= 0) {
    const ssize_t got = ::read(pipes_[pipe], block, sizeof block);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got > 0) {
      texts_[pipe].append(block, static_cast<std::size_t>(got));
      continue;
    }
    ::close(pipes_[pipe]);
    pipes_[pipe] = -1;
  }
}

ChildOutcome Child::finish() {
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) continue;
  process_ = -1;
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start_;
  return {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), std::move(texts_[0]),
          std::move(texts_[1]), time.count()};
}

}  // namespace muster::app::sweep
