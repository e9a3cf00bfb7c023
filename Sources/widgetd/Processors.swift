import Glibc

/// The processors this process may use.
enum Processors {
    static var count: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
