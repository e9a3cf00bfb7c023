#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__x86_64__)
#define NATIVE_MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_MACHINE AUDIT_ARCH_AARCH64
#else
#error "the numbers of system calls are listed for x86-64 and aarch64"
#endif

enum { program_room = 1024, call_room = 1024, number_clone3 = 435, number_openat2 = 437, number_pwait2 = 441 };

struct linux_program {
    struct sock_filter code[program_room];
    int count;
    uint32_t refuse, kill;
};

static void emit(struct linux_program *program, uint16_t code, uint32_t value, uint8_t yes, uint8_t no)
{
    if (program->count < program_room)
        program->code[program->count] = (struct sock_filter){.code = code, .k = value, .jt = yes, .jf = no};
    program->count++;
}

static void load(struct linux_program *program, size_t offset)
{
    emit(program, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

// The lower half of an argument. All machines that are listed store it first.
static void load_argument(struct linux_program *program, int index)
{
    load(program, offsetof(struct seccomp_data, args) + 8 * (size_t)index);
}

static void answer(struct linux_program *program, uint32_t action) { emit(program, BPF_RET | BPF_K, action, 0, 0); }

static void answer_call(struct linux_program *program, int number, uint32_t action)
{
    emit(program, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 1);
    answer(program, action);
}

// Begins the rules for the arguments of a call; each path through them ends with an answer.
static int begin_call(struct linux_program *program, int number)
{
    emit(program, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 0);
    return program->count - 1;
}

static void end_call(struct linux_program *program, int begin)
{
    if (program->count < program_room) program->code[begin].jf = (uint8_t)(program->count - begin - 1);
}

// Continues with the next rule if an argument has one of the values.
static void require_value(
    struct linux_program *program, int index, const uint32_t values[], int count, uint32_t otherwise)
{
    load_argument(program, index);
    for (int place = 0; place < count; place++)
        emit(program, BPF_JMP | BPF_JEQ | BPF_K, values[place], (uint8_t)(count - place), 0);
    answer(program, otherwise);
}

static void require_without(struct linux_program *program, int index, uint32_t bits, uint32_t otherwise)
{
    load_argument(program, index);
    emit(program, BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
    answer(program, otherwise);
}

static void require_null(struct linux_program *program, int index)
{
    for (size_t half = 0; half < 2; half++) {
        load(program, offsetof(struct seccomp_data, args) + 8 * (size_t)index + 4 * half);
        emit(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
        answer(program, program->refuse);
    }
}

// Calls whose arguments do not matter: they reach this process's memory, threads, clocks and open descriptors only.
static const int allowed_calls[] = {
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_lseek, SYS_close, SYS_fstat,
    SYS_recvmsg, SYS_recvfrom, SYS_sendmsg, SYS_shutdown,
    SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk,
    SYS_futex, SYS_sched_yield, SYS_sched_getaffinity, SYS_set_robust_list, SYS_membarrier, SYS_rseq,
    SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait, SYS_eventfd2, SYS_ppoll, number_pwait2,
    SYS_timerfd_create, SYS_timerfd_settime, SYS_timerfd_gettime,
    SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday,
    SYS_getpid, SYS_getppid, SYS_gettid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getrandom,
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack,
    SYS_exit, SYS_exit_group, SYS_restart_syscall,
#if defined(__x86_64__)
    SYS_epoll_wait, SYS_poll, SYS_time,
#endif
};

// Calls that only something that was taken over makes.
static const int killing_calls[] = {
    number_openat2, SYS_open_by_handle_at, SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv,
    SYS_process_vm_writev, SYS_socket, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4,
#if defined(__x86_64__)
    SYS_creat, SYS_fork, SYS_vfork,
#endif
};

// The C library asks a descriptor whether it is a terminal, which has no terminal either way.
static const int quiet_calls[] = {SYS_ioctl, SYS_statx, SYS_sysinfo};

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void fill(struct linux_program *program, int counting)
{
    uint32_t trap = SECCOMP_RET_TRAP;
    program->refuse = counting ? trap : SECCOMP_RET_ERRNO | EPERM;
    program->kill = counting ? trap : SECCOMP_RET_KILL_PROCESS;
    load(program, offsetof(struct seccomp_data, arch));
    emit(program, BPF_JMP | BPF_JEQ | BPF_K, NATIVE_MACHINE, 1, 0);
    answer(program, SECCOMP_RET_KILL_PROCESS);
    load(program, offsetof(struct seccomp_data, nr));
#if defined(__x86_64__)
    // Calls of x32 have this bit.
    emit(program, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
    answer(program, SECCOMP_RET_KILL_PROCESS);
#endif
    for (size_t index = 0; index < COUNT(allowed_calls); index++)
        answer_call(program, allowed_calls[index], SECCOMP_RET_ALLOW);
    // Memory, but no code.
    const int mapping[] = {SYS_mmap, SYS_mprotect};
    for (size_t index = 0; index < COUNT(mapping); index++) {
        int begin = begin_call(program, mapping[index]);
        require_without(program, 2, PROT_EXEC, program->refuse);
        answer(program, SECCOMP_RET_ALLOW);
        end_call(program, begin);
    }
    // A thread, as the C library starts one, and nothing else. Without `clone3` the library uses `clone`.
    answer_call(program, number_clone3, SECCOMP_RET_ERRNO | ENOSYS);
    const uint32_t thread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |
                            CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
    int begin = begin_call(program, SYS_clone);
    require_value(program, 0, &thread, 1, program->kill);
    answer(program, SECCOMP_RET_ALLOW);
    end_call(program, begin);
    // Signals to this process.
    const uint32_t self = (uint32_t)getpid();
    begin = begin_call(program, SYS_tgkill);
    require_value(program, 0, &self, 1, program->refuse);
    answer(program, SECCOMP_RET_ALLOW);
    end_call(program, begin);
    const uint32_t naming = PR_SET_NAME;
    begin = begin_call(program, SYS_prctl);
    require_value(program, 0, &naming, 1, program->refuse);
    answer(program, SECCOMP_RET_ALLOW);
    end_call(program, begin);
    const uint32_t commands[] = {F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC, F_GET_SEALS};
    begin = begin_call(program, SYS_fcntl);
    require_value(program, 1, commands, COUNT(commands), program->refuse);
    answer(program, SECCOMP_RET_ALLOW);
    end_call(program, begin);
    // To the peer of a socket, not to an address.
    begin = begin_call(program, SYS_sendto);
    require_null(program, 4);
    answer(program, SECCOMP_RET_ALLOW);
    end_call(program, begin);
    // Dispatch gives its threads priorities, and writes to the system's log if it may not. They are left as they are.
    answer_call(program, SYS_setpriority, SECCOMP_RET_ERRNO | 0);
    // Limits are read, not set.
    const uint32_t itself[] = {0, self};
    begin = begin_call(program, SYS_prlimit64);
    require_value(program, 0, itself, COUNT(itself), program->refuse);
    require_null(program, 2);
    answer(program, SECCOMP_RET_ALLOW);
    end_call(program, begin);
    // Looked at by `linux_forbidden`.
    answer_call(program, SYS_openat, trap);
    answer_call(program, SYS_newfstatat, trap);
#if defined(__x86_64__)
    answer_call(program, SYS_open, trap);
#endif
    for (size_t index = 0; index < COUNT(killing_calls); index++)
        answer_call(program, killing_calls[index], program->kill);
    for (size_t index = 0; index < COUNT(quiet_calls); index++)
        answer_call(program, quiet_calls[index], SECCOMP_RET_ERRNO | EPERM);
    answer(program, program->refuse);
}

static int is_counting = 0, thread_state = -1;
static atomic_bool is_warm;
static atomic_uint counts[call_room];

unsigned linux_forbidden_count(int number)
{
    return number >= 0 && number < call_room ? atomic_load(&counts[number]) : 0;
}

// True for `/proc/NUMBER/stat`.
static int names_thread_state(const char *path)
{
    if (strncmp(path, "/proc/", 6) != 0) return 0;
    const char *rest = path + 6;
    while (*rest >= '0' && *rest <= '9') rest++;
    return rest > path + 6 && strcmp(rest, "/stat") == 0;
}

// Gets calls that were not carried out. None is carried out here that opens or runs anything: a process that was taken
// over can replace this function, and has gained nothing.
static void linux_forbidden(int signal_number, siginfo_t *information, void *context)
{
    int before = errno, number = information->si_syscall;
    mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
#if defined(__x86_64__)
    greg_t *registers = machine->gregs;
    const long given[] = {registers[REG_RDI], registers[REG_RSI], registers[REG_RDX], registers[REG_R10]};
    greg_t *result = &registers[REG_RAX];
    int opens = number == SYS_openat || number == SYS_open;
    const char *path = (const char *)(number == SYS_open ? given[0] : given[1]);
#else
    unsigned long long *result = &machine->regs[0];
    const long given[] = {(long)machine->regs[0], (long)machine->regs[1], (long)machine->regs[2], (long)machine->regs[3]};
    int opens = number == SYS_openat;
    const char *path = (const char *)given[1];
#endif
    long outcome = -EPERM;
    if (opens && names_thread_state(path)) {
        // Dispatch looks each second whether its threads work, and ends the process if it cannot open this file.
        outcome = lseek(thread_state, 0, SEEK_SET) == 0 ? fcntl(thread_state, F_DUPFD_CLOEXEC, 3) : -1;
        if (outcome < 0) outcome = -errno;
    } else if (number == SYS_newfstatat && (given[3] & AT_EMPTY_PATH) != 0 && path != NULL && path[0] == 0) {
        // `fstat` of the C library: about a descriptor, never a path.
        outcome = syscall(SYS_fstat, (int)given[0], given[2]);
        if (outcome < 0) outcome = -errno;
    } else if (opens && !atomic_load(&is_warm)) {
        outcome = -EACCES;
    } else if (is_counting || number == SYS_newfstatat) {
        if (number >= 0 && number < call_room) atomic_fetch_add(&counts[number], 1);
    } else {
        struct sigaction usual = {.sa_handler = SIG_DFL};
        sigaction(signal_number, &usual, NULL);
        syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid), signal_number);
        _exit(128 + signal_number);
    }
    *result = outcome;
    errno = before;
}

int linux_prepare_filter(void)
{
    static const char busy[] = "1 (thread) R 0\n";
    int file = linux_memory_file("thread");
    if (file < 0) return -errno;
    if (write(file, busy, sizeof busy - 1) != (ssize_t)(sizeof busy - 1) || linux_seal(file) != 0) {
        int reason = errno;
        close(file);
        return -reason;
    }
    thread_state = file;
    return 0;
}

int linux_can_filter_calls(void)
{
    uint32_t action = SECCOMP_RET_TRAP;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

void linux_end_warming(void) { atomic_store(&is_warm, true); }

int linux_filter_calls(int counting)
{
    static struct linux_program program;
    fill(&program, counting);
    if (program.count > program_room) return -E2BIG;
    struct sigaction looking = {.sa_sigaction = linux_forbidden, .sa_flags = SA_SIGINFO | SA_NODEFER};
    sigset_t forbidden;
    sigemptyset(&forbidden);
    sigaddset(&forbidden, SIGSYS);
    if (sigaction(SIGSYS, &looking, NULL) != 0 || pthread_sigmask(SIG_UNBLOCK, &forbidden, NULL) != 0) return -errno;
    is_counting = counting;
    struct sock_fprog filter = {.len = (unsigned short)program.count, .filter = program.code};
    long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
    // A positive number is that of a thread that has another filter.
    return result < 0 ? -errno : result > 0 ? -EBUSY : 0;
}
