internal import Glibc

/// What the system calls this process, so that others can be told who has what they want.
package enum ProcessNumber {
    package static var current: Int { Int(getpid()) }
}
