// System calls that Swift's Glibc module leaves out, because it is built without _GNU_SOURCE and
// without the headers of epoll and eventfd, or because they are variadic or macros in C.
//
// Nothing here decides anything: each function is one call. `linux_errno` is read right after it.
// The header includes next to nothing on purpose: definitions that change with _GNU_SOURCE must not
// be seen by Swift twice.
#ifndef CLINUX_H
#define CLINUX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

extern const uint32_t LINUX_EPOLLIN;
extern const uint32_t LINUX_EPOLLOUT;
extern const uint32_t LINUX_EPOLLRDHUP;
extern const uint32_t LINUX_EPOLLHUP;
extern const uint32_t LINUX_EPOLLERR;
extern const uint32_t LINUX_EPOLLET;

#define LINUX_EVENTS_PER_WAIT 512

struct linux_event {
    uint64_t token;
    uint32_t flags;
};

int linux_errno(void);

// Addresses cross the border as sixteen bytes (IPv4 in its mapped form), a family and a port,
// so that no sockaddr is ever cast in Swift.
int linux_accept(int fd, uint8_t bytes[16], uint16_t *port);

int linux_bind_ip(int fd, const uint8_t bytes[16], int is_v4, uint16_t port);

int linux_connect_ip(int fd, const uint8_t bytes[16], int is_v4, uint16_t port);

int linux_bind_unix(int fd, const char *path);

int linux_connect_unix(int fd, const char *path);

// Sends a datagram to a unix socket, whose name begins with a slash, or with '@' if it is abstract. Never waits, and leaves no
// descriptor behind; 0, or the negative number of the error.
int linux_send_to_unix(const char *name, const void *bytes, size_t count);

int linux_local_port(int fd, uint16_t *port);

// The first address of a name; 0 when there is one.
int linux_resolve(const char *name, uint8_t bytes[16], int *is_v4);

int linux_epoll_create(void);

int linux_epoll_add(int epoll, int fd, uint32_t events, uint64_t token);

int linux_epoll_remove(int epoll, int fd);

int linux_epoll_wait(int epoll, struct linux_event *events, int capacity, int timeout_milliseconds);

int linux_eventfd(void);

int linux_socket(int family);

int linux_blocking_socket(int family);

// A peer that is gone is an error value, never SIGPIPE; `more` says that a file follows at once.
ssize_t linux_send(int fd, const void *bytes, size_t count, int more);

ssize_t linux_send_two(int fd, const void *first, size_t first_count, const void *second, size_t second_count);

ssize_t linux_sendfile(int socket, int file, off_t *offset, size_t count);

int linux_set_option(int fd, int level, int option, int value);

// How many bytes the socket was given that its peer has not acknowledged; 0 where the kernel does not tell.
int linux_unacknowledged(int fd);

int linux_socket_error(int fd);

// How long blocking reads and writes wait.
int linux_set_timeouts(int fd, int seconds);

ssize_t linux_random(void *bytes, size_t count);

int linux_name_thread(const char *name);

uint64_t linux_monotonic_nanoseconds(void);

int linux_raise_descriptor_limit(uint64_t *allowed);

int linux_socket_pair(int pair[2]);

int linux_set_nonblocking(int fd);

// From then on, writing to a peer that is gone is an error value everywhere in the process.
int linux_ignore_broken_pipes(void);

int linux_duplicate(int fd);

// What this process has used and holds.
int64_t linux_cpu_nanoseconds(void);
int64_t linux_resident_bytes(void);
int linux_open_descriptors(void);
// Files (files.c). `openat` is variadic in C; every descriptor closes on exec.
int linux_openat(int directory, const char *path, int flags, unsigned mode);

// A file without a name in a directory, gone with its descriptor.
int linux_unnamed_file(int directory);

// With `replacing` 0, EEXIST when the target has a file already.
int linux_rename(int directory, const char *source, int target_directory, const char *target, int replacing);

// Both names stay; what they stand for changes places.
int linux_exchange(int directory, const char *name, int other_directory, const char *other);

// Reserves room so that a full disk is met before the first byte rather than in the middle.
int linux_reserve(int fd, int64_t byte_count);

// What the file system has left for users without privileges; -1 with errno.
int64_t linux_available_bytes(int fd);

// What happens in directories (inotify): a descriptor that becomes readable, and never blocks.
int linux_watch_create(void);

// Names that come, go or change in the directory at a path, and the end of that directory itself.
int linux_watch_add(int watch, const char *path);

// Forgets what has happened so far: 1 when there was something, 0 when not, -1 with errno.
int linux_watch_drain(int watch);

// A terminal that is drawn on (terminal.c). One at a time: keys come as they are pressed, and it is given back on every
// way out, signals and crashes among them. Taking it over again after it was given back is the same call.
int linux_terminal_enter(int input, int output);
void linux_terminal_leave(void);

// Readable when the terminal's size has changed, or the program was stopped and continues.
int linux_terminal_bell(void);

// Forgets the ringing, and takes the terminal over again after a stop: 1 when it had rung, 0 when not, -1 with errno.
int linux_terminal_answer_bell(void);

// Stops the program as a shell's user asks for, with the terminal given back meanwhile.
void linux_terminal_stop(void);

int linux_terminal_size(int fd, int *columns, int *rows);

// Two steps of a child before it runs its program; `actions` is a posix_spawn_file_actions_t.
int linux_spawn_changes_folder(void *actions, const char *folder);

int linux_spawn_closes_from(void *actions, int first);

// 1 while a child of this process has not run its program yet. Until then it holds the locks that this process releases.
int linux_starts_programs(void);

// Starts a program in a process group for it, with the descriptors `given` as its standard streams and as the numbers 3
// and 4 (-1: none of that number), and no others. The child gets the signal `death` when the calling *thread* ends,
// however that happens, and runs behind others from its beginning with a `niceness` above 0. Returns its number, or the
// negative errno, also that of the child's `execve`.
int linux_start(
    const char *path, char *const words[], char *const variables[], const char *folder, const int given[5], int death,
    int niceness);

// Waits until a child has ended: the exit code, or the negative number of a signal. It is not reaped yet.
int linux_await_end(int child, int *status);

// Ends what is left of an ended child's group, and reaps the child.
int linux_reap(int child);

// To a child that was not reaped yet, and all of its group.
int linux_signal_group(int child, int number);

// A pipe whose ends close on exec: the first is read. Returns 0 or the negative errno.
int linux_pipe(int ends[2]);

// Confinement of a child by itself (confine.c). Each returns 0, or a number that it says, or the negative errno.
enum {
    LINUX_LIMIT_ADDRESSES,
    LINUX_LIMIT_DATA,
    LINUX_LIMIT_PROCESSOR,
    LINUX_LIMIT_FILE_SIZE,
    LINUX_LIMIT_DESCRIPTORS,
    LINUX_LIMIT_CORE,
    LINUX_LIMIT_THREADS,
};

// Sets a limit of this process, never above the present hard limit.
int linux_limit(int limit, uint64_t most);

// Keeps this thread, and those that it starts, to so many processors.
int linux_limit_processors(int count);

// Lets others run before this thread, and those that it starts, and take over from them when they wake.
int linux_lower_priority(int niceness);

// Has this thread take over, as soon as it wakes, from threads that work for longer; its own turns are short.
void linux_take_short_turns(void);

// The stack of each thread that is started without another size.
int linux_limit_stacks(size_t byte_count);

int linux_no_new_privileges(void);

// From then on other processes of the user cannot look into this one.
int linux_not_dumpable(void);

// SIGKILL when the parent ends. A change of user, capabilities or namespace forgets it.
int linux_ends_with_parent(void);

// The number of threads of this process.
int linux_thread_count(void);

// Leaves the namespaces named.
int linux_separate(int user, int network, int ipc);

// 1 if the calling thread has a capability now.
int linux_has_capability(int number);

int linux_become_user(unsigned user, unsigned group);

int linux_drop_capabilities(void);

// The version of Landlock's interface.
int linux_landlock_version(void);

// Takes all rights that a version knows from the calling thread, and from those that it starts. Without a filter of calls
// Dispatch needs to read what /proc says of its threads (`reading`), or it ends the process when its queues are full.
int linux_landlock_forbid(int version, int reading);

// Has the allocator open the one file that it opens when it first gives memory back.
int linux_warm_allocator(void);

// The filter of calls (callfilter.c) needs a descriptor, which is made before the calls are filtered.
int linux_prepare_filter(void);

// Lets all threads make the calls of the list only. With `counting`, calls outside the list are counted and refused, and
// none ends the process.
int linux_filter_calls(int counting);

// 1 if the kernel can filter calls.
int linux_can_filter_calls(void);

// Until then, opening a file is refused like a missing file; from then on it ends the process.
void linux_end_warming(void);

// How often a call was refused while counting.
unsigned linux_forbidden_count(int number);

// A descriptor for a child that was not reaped yet; its number is used for no other process.
int linux_pidfd(int process);

int linux_signal_pidfd(int pidfd, int number);

// The processor time that a child has used.
int64_t linux_processor_nanoseconds(int process);

// A file in memory without a name in any folder; -1 with errno, as the next.
int linux_memory_file(const char *name);

// From then on the file never changes.
int linux_seal(int file);

int linux_is_sealed(int file);

// One descriptor with one byte (descriptors.c); 0 or the negative errno.
int linux_send_descriptor(int socket, int descriptor);

// The descriptor of the next byte, which closes on exec. EBADMSG, with all that came closed, if it is not exactly one.
int linux_receive_descriptor(int socket);

#endif
