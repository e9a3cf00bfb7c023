import CLinux
import HostileWidgets
import WidgetCore

/// One hostile bundle: how long it takes the processor from files to text and JSON, and what stopped it.
func benchHostile(_ name: String) async throws {
    guard let widget = try HostileWidget.all().first(where: { $0.name == name }) else { return }
    let begin = linux_cpu_nanoseconds()
    let outcome = await widget.run { linux_cpu_nanoseconds() }
    let time = (linux_cpu_nanoseconds() - begin) / 1_000
    let codes = outcome.codes.map(\.rawValue).sorted().joined(separator: " ")
    let cost = outcome.costliest
    print("\(time)|\(cost.time / 1_000)|\(cost.what)|\(outcome.refusal == nil ? codes : "refused")")
}
