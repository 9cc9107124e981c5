#pragma once

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

namespace stiction::test {

/// Work in a process of its own, to be killed. It is gone when this goes out of scope, and when the test program ends
/// in any other way: the system kills it with its parent.
class ChildProcess {
 public:
  explicit ChildProcess(const std::function<void()>& work) {
    const pid_t parent = getpid();
    child_ = fork();
    if (child_ != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);  // the parent has ended before
    work();
    _exit(0);
  }
  ~ChildProcess() { kill(); }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// SIGKILL, and waits until it is gone.
  void kill() {
    if (child_ <= 0) return;
    ::kill(child_, SIGKILL);
    wait();
  }
  void wait() {
    if (child_ > 0) waitpid(child_, nullptr, 0);
    child_ = -1;
  }

 private:
  pid_t child_ = -1;
};

}  // namespace stiction::test
