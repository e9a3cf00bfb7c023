#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CLinux.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

// A terminal that is taken over is given back on every way out, also when a signal ends the program or it crashes.
// That has to be done inside a signal handler, where Swift must not run; so it is done here, with calls that may be
// made there.

static struct termios before;
static volatile sig_atomic_t is_taken;
static volatile sig_atomic_t must_take_again;
static int input = -1;
static int output = -1;
static int bell = -1;

// Another screen to draw on, no cursor, pasted text marked as such; and all of that undone.
static const char begin[] = "\033[?1049h\033[?25l\033[?7l\033[?2004h\033[2J";
static const char end[] = "\033[?2004l\033[?7h\033[?25h\033[0m\033[?1049l";

static int linux_write_all(const char *text, size_t count) {
    while (count > 0) {
        ssize_t written = write(output, text, count);
        if (written <= 0) return -1;
        text += written;
        count -= (size_t)written;
    }
    return 0;
}

void linux_terminal_leave(void) {
    if (!is_taken) return;
    is_taken = 0;
    linux_write_all(end, sizeof end - 1);
    tcsetattr(input, TCSANOW, &before);
}

static void linux_ring(void) {
    uint64_t one = 1;
    if (bell >= 0 && write(bell, &one, sizeof one) < 0) return;
}

static void linux_on_end(int number) {
    linux_terminal_leave();
    signal(number, SIG_DFL);
    raise(number);
}

static void linux_on_stop(int number) {
    (void)number;
    if (is_taken) must_take_again = 1;
    linux_terminal_leave();
    raise(SIGSTOP);
}

static void linux_on_change(int number) {
    (void)number;
    linux_ring();
}

static int linux_take(void) {
    if (tcgetattr(input, &before) != 0) return -1;
    struct termios raw = before;
    cfmakeraw(&raw);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    if (tcsetattr(input, TCSANOW, &raw) != 0) return -1;
    is_taken = 1;
    return linux_write_all(begin, sizeof begin - 1);
}

int linux_terminal_enter(int from, int to) {
    input = from;
    output = to;
    if (bell < 0) {
        bell = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
        if (bell < 0) return -1;
        static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE};
        struct sigaction action;
        memset(&action, 0, sizeof action);
        sigemptyset(&action.sa_mask);
        action.sa_flags = SA_NODEFER;
        action.sa_handler = linux_on_end;
        for (size_t index = 0; index < sizeof ends / sizeof *ends; index++) sigaction(ends[index], &action, NULL);
        action.sa_flags = SA_RESTART;
        action.sa_handler = linux_on_stop;
        sigaction(SIGTSTP, &action, NULL);
        action.sa_handler = linux_on_change;
        sigaction(SIGWINCH, &action, NULL);
        sigaction(SIGCONT, &action, NULL);
    }
    return linux_take();
}

int linux_terminal_bell(void) { return bell; }

int linux_terminal_answer_bell(void) {
    uint64_t count;
    if (read(bell, &count, sizeof count) < 0) return 0;
    if (must_take_again) {
        must_take_again = 0;
        if (linux_take() != 0) return -1;
    }
    return 1;
}

void linux_terminal_stop(void) { raise(SIGTSTP); }

int linux_terminal_size(int fd, int *columns, int *rows) {
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return -1;
    *columns = size.ws_col;
    *rows = size.ws_row;
    return 0;
}
