import WidgetContract
import WidgetHosting
import WidgetRunning

/// The age and state of a widget's data, for the line below it.
enum DataNote {
    /// Data that are younger are current.
    private static let current = 60.0

    /// `nil` for current data.
    static func text(_ snapshot: RunningWidget.Snapshot) -> String? {
        let age = snapshot.data.age.map(age)
        if snapshot.isKept, snapshot.data.state != .stale { return "last view\(age.map { ", \($0)" } ?? "")" }
        switch snapshot.data.state {
        case .updating: return "updating"
        case .stale: return "\(age ?? "no data"): \(snapshot.data.failure.map { "\($0)" } ?? "not updated")"
        case .empty: return snapshot.data.failure.map { "no data: \($0)" }
        case .fresh: return snapshot.data.age ?? 0 < current ? nil : age
        }
    }

    /// An age in its largest unit.
    static func age(_ seconds: Double) -> String {
        for (unit, length) in [("d", 86_400.0), ("h", 3_600.0), ("min", 60.0)] where seconds >= length {
            return "\(Int(min(seconds / length, 1e9))) \(unit) old"
        }
        return "\(Int(max(0, seconds))) s old"
    }
}
