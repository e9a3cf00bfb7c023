import CLinux
import HostileWidgets
import WidgetCore

/// One hostile bundle: how long it takes the processor from files to text and JSON, and what stopped it.
func benchHostile(_ name: String) async throws {
    guard let widget = try HostileWidget.all().first(where: { $0.name == name }) else { return }
    let begin = linux_cpu_nanoseconds()
    let outcome = await widget.run()
    let time = Double(linux_cpu_nanoseconds() - begin) / 1e6
    let codes = outcome.codes.map(\.rawValue).sorted().joined(separator: " ")
    print("\(Int((time * 1_000).rounded())) \(outcome.refusal == nil ? codes : "refused")")
}
