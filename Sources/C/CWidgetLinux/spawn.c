#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int linux_spawn_changes_folder(void *actions, const char *folder)
{
    return posix_spawn_file_actions_addchdir_np(actions, folder);
}

int linux_spawn_closes_from(void *actions, int first)
{
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

enum { channel_number = 3, given_count = 5, report_number = given_count };

// Runs in the child, in the memory of the parent, whose thread waits: system calls alone, and no return.
__attribute__((noreturn)) static void linux_become(
    const char *path, char *const words[], char *const variables[], const char *folder, const int streams[given_count],
    int report, int death, int niceness, pid_t parent)
{
    sigset_t none;
    struct sigaction usual = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) sigaction(number, &usual, NULL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    // A group for the child and its children, so that they are ended together.
    setpgid(0, 0);
    if (prctl(PR_SET_PDEATHSIG, death, 0, 0, 0) != 0 || getppid() != parent) goto failed;
    if (folder != NULL && chdir(folder) != 0) goto failed;
    // A matter of sharing the machine, which some managers of services forbid.
    if (niceness > 0) (void)linux_lower_priority(niceness);
    // All descriptors of the parent that are passed are above those that they become here.
    for (int number = 0; number < 3; number++)
        if (dup2(streams[number], number) < 0) goto failed;
    for (int number = channel_number; number < given_count; number++)
        if (streams[number] >= 0 && dup2(streams[number], number) < 0) goto failed;
    if (dup3(report, report_number, O_CLOEXEC) < 0) goto failed;
    report = report_number;
    for (int number = channel_number; number < given_count; number++)
        if (streams[number] < 0) close(number);
    if (syscall(SYS_close_range, report_number + 1, ~0U, 0) != 0)
        for (int number = report_number + 1; number < 65536; number++) close(number);
    execve(path, words, variables);
failed:;
    int reason = errno == 0 ? ECANCELED : errno;
    ssize_t ignored = write(report, &reason, sizeof reason);
    (void)ignored;
    _exit(127);
}

// The memory of the parent is not copied, however large it is, as posix_spawn does, which can neither name the signal of a
// parent's end nor say which step has failed.
__attribute__((noinline)) static pid_t linux_begin(
    const char *path, char *const words[], char *const variables[], const char *folder, const int streams[given_count],
    int report, int death, int niceness, pid_t parent)
{
    sigset_t all, before;
    sigfillset(&all);
    // No handler of the parent runs in the child.
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = vfork();
    if (child == 0) linux_become(path, words, variables, folder, streams, report, death, niceness, parent);
    int reason = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return child;
}

static atomic_int starts;

int linux_starts_programs(void) { return atomic_load(&starts) > 0; }

int linux_start(
    const char *path, char *const words[], char *const variables[], const char *folder, const int given[5], int death,
    int niceness)
{
    int ends[2], streams[given_count] = {-1, -1, -1, -1, -1}, report = -1, reason = 0;
    if (pipe2(ends, O_CLOEXEC) != 0) return -errno;
    atomic_fetch_add(&starts, 1);
    pid_t child = -1, parent = getpid();
    for (int index = 0; index < given_count; index++) {
        if (given[index] < 0) continue;
        streams[index] = fcntl(given[index], F_DUPFD_CLOEXEC, report_number + 1);
        if (streams[index] < 0) goto ended;
    }
    report = fcntl(ends[1], F_DUPFD_CLOEXEC, report_number + 1);
    if (report < 0) goto ended;
    child = linux_begin(path, words, variables, folder, streams, report, death, niceness, parent);
ended:
    reason = errno;
    for (int index = 0; index < given_count; index++)
        if (streams[index] >= 0) close(streams[index]);
    if (report >= 0) close(report);
    close(ends[1]);
    if (child > 0) {
        ssize_t count;
        int sent = 0;
        do count = read(ends[0], &sent, sizeof sent);
        while (count < 0 && errno == EINTR);
        if (count == sizeof sent) {
            while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
            child = -1;
            reason = sent;
        }
    }
    close(ends[0]);
    atomic_fetch_sub(&starts, 1);
    return child > 0 ? child : -reason;
}

int linux_await_end(int child, int *status)
{
    siginfo_t found;
    int waited;
    do waited = waitid(P_PID, (id_t)child, &found, WEXITED | WNOWAIT);
    while (waited != 0 && errno == EINTR);
    if (waited != 0) return -1;
    *status = found.si_code == CLD_EXITED ? found.si_status : -found.si_status;
    return 0;
}

int linux_reap(int child)
{
    // The number is still the child's, and so is its group's.
    kill(-child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0)
        if (errno != EINTR) return -1;
    return 0;
}

int linux_signal_group(int child, int number) { return kill(-child, number); }

int linux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) == 0 ? 0 : -errno; }
