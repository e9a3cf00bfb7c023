internal import CLinux

/// This process's use of time, memory and descriptors, as the system counts it.
package struct ProcessFigures: Sendable {
    package let cpuNanoseconds: Int
    package let residentBytes: Int
    package let openDescriptors: Int

    package static func now() -> ProcessFigures {
        ProcessFigures(
            cpuNanoseconds: Int(linux_cpu_nanoseconds()), residentBytes: Int(linux_resident_bytes()),
            openDescriptors: Int(linux_open_descriptors()))
    }
}
