#define _GNU_SOURCE
#include "CLinux.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Numbers that the headers of older systems do not have. They are the same on all machines.
enum {
    number_pidfd_send_signal = 424,
    number_pidfd_open = 434,
    number_landlock_create_ruleset = 444,
    number_landlock_add_rule = 445,
    number_landlock_restrict_self = 446,
    memory_file_without_execution = 0x0008U,
    longest_turn = 100000000,
    shortest_turn = 100000,
};

static int linux_outcome(long result) { return result < 0 ? -errno : (int)result; }

int linux_limit(int limit, uint64_t most)
{
    static const int resources[] = {
        [LINUX_LIMIT_ADDRESSES] = RLIMIT_AS,     [LINUX_LIMIT_DATA] = RLIMIT_DATA,
        [LINUX_LIMIT_PROCESSOR] = RLIMIT_CPU,    [LINUX_LIMIT_FILE_SIZE] = RLIMIT_FSIZE,
        [LINUX_LIMIT_DESCRIPTORS] = RLIMIT_NOFILE, [LINUX_LIMIT_CORE] = RLIMIT_CORE,
        [LINUX_LIMIT_THREADS] = RLIMIT_NPROC,
    };
    if (limit < 0 || limit >= (int)(sizeof resources / sizeof *resources)) return -EINVAL;
    struct rlimit before, after;
    if (prlimit(0, resources[limit], NULL, &before) != 0) return -errno;
    // What is lower already stays.
    after.rlim_max = most < before.rlim_max ? most : before.rlim_max;
    after.rlim_cur = after.rlim_max;
    return linux_outcome(prlimit(0, resources[limit], &after, NULL));
}

// Kernels before 6.12 ignore the length.
static void linux_set_turn(int niceness, uint64_t nanoseconds)
{
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } attributes = {.size = 48, .nice = niceness, .runtime = nanoseconds};
    (void)syscall(SYS_sched_setattr, 0, &attributes, 0);
}

int linux_lower_priority(int niceness)
{
    errno = 0;
    int before = getpriority(PRIO_PROCESS, 0);
    if (errno != 0) return -errno;
    if (before < niceness && setpriority(PRIO_PROCESS, 0, niceness) != 0) return -errno;
    // Long turns, from which others with ordinary ones take over as soon as they wake.
    linux_set_turn(before < niceness ? niceness : before, longest_turn);
    return 0;
}

void linux_take_short_turns(void)
{
    errno = 0;
    int niceness = getpriority(PRIO_PROCESS, 0);
    if (errno == 0) linux_set_turn(niceness, shortest_turn);
}

int linux_limit_processors(int count)
{
    cpu_set_t allowed, chosen;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return -errno;
    int total = CPU_COUNT(&allowed);
    if (count < 1 || total <= count) return 0;
    CPU_ZERO(&chosen);
    // Each process begins elsewhere, so that all processors get some.
    int skipped = getpid() % total, found = 0;
    for (int round = 0; round < 2 && found < count; round++)
        for (int number = 0; number < CPU_SETSIZE && found < count; number++) {
            if (!CPU_ISSET(number, &allowed) || CPU_ISSET(number, &chosen)) continue;
            if (skipped > 0) skipped--;
            else CPU_SET(number, &chosen), found++;
        }
    return linux_outcome(sched_setaffinity(0, sizeof chosen, &chosen));
}

int linux_limit_stacks(size_t byte_count)
{
    pthread_attr_t attributes;
    int failure = pthread_attr_init(&attributes);
    if (failure != 0) return -failure;
    failure = pthread_attr_setstacksize(&attributes, byte_count);
    if (failure == 0) failure = pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
    return -failure;
}

int linux_no_new_privileges(void) { return linux_outcome(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)); }

int linux_not_dumpable(void) { return linux_outcome(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)); }

int linux_ends_with_parent(void) { return linux_outcome(prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)); }

int linux_thread_count(void)
{
    DIR *directory = opendir("/proc/self/task");
    if (directory == NULL) return -errno;
    int count = 0;
    for (struct dirent *item; (item = readdir(directory)) != NULL;)
        if (item->d_name[0] != '.') count++;
    closedir(directory);
    return count;
}

int linux_separate(int user, int network, int ipc)
{
    int flags = (user ? CLONE_NEWUSER : 0) | (network ? CLONE_NEWNET : 0) | (ipc ? CLONE_NEWIPC : 0);
    return linux_outcome(unshare(flags));
}

int linux_has_capability(int number)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2] = {{0}};
    if (number < 0 || number > 63 || syscall(SYS_capget, &header, data) != 0) return 0;
    return (int)(data[number / 32].effective >> (number % 32) & 1);
}

int linux_become_user(unsigned user, unsigned group)
{
    if (setgroups(0, NULL) != 0 || setresgid(group, group, group) != 0) return -errno;
    return linux_outcome(setresuid(user, user, user));
}

int linux_drop_capabilities(void)
{
    // Without the right to set capabilities the bounds stay, which matter to programs that are run, and none can be.
    for (int number = 0; number < 64; number++)
        if (prctl(PR_CAPBSET_DROP, number, 0, 0, 0) != 0) break;
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2] = {{0}};
    return linux_outcome(syscall(SYS_capset, &header, none));
}

int linux_landlock_version(void) { return linux_outcome(syscall(number_landlock_create_ruleset, NULL, 0, 1)); }

int linux_landlock_forbid(int version, int reading)
{
    // The rights that a version knows, as linux/landlock.h has them.
    struct {
        uint64_t files, network, scopes;
    } rules = {.files = (1U << 13) - 1};
    if (version >= 2) rules.files |= 1U << 13;  // other folders
    if (version >= 3) rules.files |= 1U << 14;  // truncate
    if (version >= 5) rules.files |= 1U << 15;  // ioctl of devices
    if (version >= 4) rules.network = 3;        // bind and connect of TCP
    if (version >= 6) rules.scopes = 3;         // abstract sockets, signals
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    int ruleset = (int)syscall(number_landlock_create_ruleset, &rules, size, 0);
    if (ruleset < 0) return -errno;
    int result = 0;
    if (reading) {
        struct {
            uint64_t rights;
            int32_t folder;
        } __attribute__((packed)) rule = {.rights = 1U << 2, .folder = open("/proc", O_PATH | O_CLOEXEC)};
        if (rule.folder >= 0) {
            result = linux_outcome(syscall(number_landlock_add_rule, ruleset, 1, &rule, 0));
            close(rule.folder);
        }
    }
    if (result == 0) result = linux_outcome(syscall(number_landlock_restrict_self, ruleset, 0));
    close(ruleset);
    return result;
}

enum { piece_count = 40, piece_size = 100 << 10 };

// Memory of an arena besides the main one, given back: the library then looks once whether it may.
static void *linux_use_arena(void *ignored)
{
    void *pieces[piece_count];
    for (int index = 0; index < piece_count; index++) {
        pieces[index] = malloc(piece_size);
        if (pieces[index] != NULL) memset(pieces[index], 1, piece_size);
    }
    for (int index = piece_count - 1; index >= 0; index--) free(pieces[index]);
    return ignored;
}

int linux_warm_allocator(void)
{
    pthread_t thread;
    mallopt(M_ARENA_MAX, 2);
    int failure = pthread_create(&thread, NULL, linux_use_arena, NULL);
    if (failure == 0) failure = pthread_join(thread, NULL);
    return -failure;
}

int linux_pidfd(int process) { return linux_outcome(syscall(number_pidfd_open, process, 0)); }

int linux_signal_pidfd(int pidfd, int number)
{
    return linux_outcome(syscall(number_pidfd_send_signal, pidfd, number, NULL, 0));
}

int64_t linux_processor_nanoseconds(int process)
{
    clockid_t clock;
    struct timespec used;
    int failure = clock_getcpuclockid(process, &clock);
    if (failure != 0) return -failure;
    if (clock_gettime(clock, &used) != 0) return -errno;
    return (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
}

int linux_memory_file(const char *name)
{
    unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
    // Kernels before 6.3 do not know the flag.
    int file = memfd_create(name, flags | memory_file_without_execution);
    return file >= 0 || errno != EINVAL ? file : memfd_create(name, flags);
}

enum { seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL };

int linux_seal(int file) { return fcntl(file, F_ADD_SEALS, seals); }

int linux_is_sealed(int file)
{
    int found = fcntl(file, F_GET_SEALS);
    return found >= 0 && (found & seals) == seals;
}
