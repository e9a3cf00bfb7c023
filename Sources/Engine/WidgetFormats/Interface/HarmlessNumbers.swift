internal import WidgetCore
internal import WidgetNib

/// Numbers of compiled interfaces, which may be anything that a file can hold, made harmless for sums.
extension Double {
    /// The largest distance that counts. The largest screens have some thousands of points.
    static let largestMeasure = 1e6

    /// The number within ±1,000,000, and 0 in place of one that is undefined.
    var harmless: Double { isNaN ? 0 : Swift.min(Swift.max(self, -Double.largestMeasure), Double.largestMeasure) }

    func limited(to range: ClosedRange<Double>) -> Double {
        isNaN ? range.lowerBound : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}

extension Size {
    init(_ point: NibPoint) { self.init(width: point.x.harmless, height: point.y.harmless) }
}

extension Frame {
    init(_ rect: NibRect) {
        self.init(
            x: rect.x.harmless, y: rect.y.harmless, width: rect.width.harmless, height: rect.height.harmless)
    }
}

extension Insets {
    init(_ insets: NibInsets, isPhysical: Bool = true) {
        self.init(
            top: insets.top.harmless, leading: insets.left.harmless, bottom: insets.bottom.harmless,
            trailing: insets.right.harmless, isPhysical: isPhysical)
    }
}

extension NibElement {
    /// Returns a number under the key, made harmless.
    func measure(_ key: String) -> Double? { double(key).map { $0.harmless } }

    func choice<Choice: RawRepresentable>(_ key: String) -> Choice? where Choice.RawValue == Int {
        integer(key).flatMap { Choice(rawValue: $0) }
    }
}

/// The identity of an archived object among those of all interfaces of a screen.
struct NibPlace: Hashable {
    let graph: ObjectIdentifier
    let index: Int

    init(_ element: NibElement) {
        graph = ObjectIdentifier(element.graph)
        index = element.index
    }
}
