import CWidgetLinux
import Glibc
import HostileWidgets
import WidgetCore

/// One hostile bundle: how long it takes the processor from files to text and JSON, how much memory at most, and what
/// stopped it.
func benchHostile(_ name: String) async throws {
    guard let widget = try HostileWidget.all().first(where: { $0.name == name }) else { return }
    // All bundles were just made: what that took is given back, and what is counted begins after it.
    Peak.giveBack()
    Peak.reset()
    let resident = Peak.kilobytes("VmRSS")
    let begin = linux_cpu_nanoseconds()
    let outcome = await widget.run { linux_cpu_nanoseconds() }
    let time = (linux_cpu_nanoseconds() - begin) / 1_000
    let memory = Peak.kilobytes("VmHWM") - resident
    let codes = outcome.codes.map(\.rawValue).sorted().joined(separator: " ")
    let cost = outcome.costliest
    print("\(time)|\(cost.time / 1_000)|\(cost.what)|\(outcome.refusal == nil ? codes : "refused")|\(memory)")
}

/// The most memory that this program has had, as the system counts it.
enum Peak {
    /// The microseconds and the most kilobytes that something takes.
    static func measured<Result>(_ body: () -> Result) -> (time: Int64, memory: Int, result: Result) {
        // What was made before it is given back, and what is counted begins after it.
        giveBack()
        reset()
        let resident = kilobytes("VmRSS")
        let begin = linux_cpu_nanoseconds()
        let result = body()
        let time = (linux_cpu_nanoseconds() - begin) / 1_000
        return (time, kilobytes("VmHWM") - resident, result)
    }

    /// Returns freed memory to the system, by a function that the C library's module does not declare.
    static func giveBack() {
        typealias Trim = @convention(c) (Int) -> CInt
        guard let trim = unsafe dlsym(nil, "malloc_trim") else { return }
        _ = unsafe unsafeBitCast(trim, to: Trim.self)(0)
    }

    /// From here on.
    static func reset() {
        guard let file = unsafe fopen("/proc/self/clear_refs", "w") else { return }
        _ = unsafe fputs("5", file)
        unsafe fclose(file)
    }

    static func kilobytes(_ name: String) -> Int {
        guard let file = unsafe fopen("/proc/self/status", "r") else { return 0 }
        defer { unsafe fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while unsafe fgets(&line, CInt(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if text.hasPrefix("\(name):") { return Int(text.filter(\.isNumber)) ?? 0 }
        }
        return 0
    }
}
