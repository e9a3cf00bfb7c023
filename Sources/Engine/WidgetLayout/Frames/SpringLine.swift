internal import WidgetCore

/// A box's place along one axis of its parent by an autoresizing mask: `start + share × length` for its start and its
/// size, where length is the parent's.
struct SpringLine {
    var start: (constant: Double, share: Double)
    var size: (constant: Double, share: Double)

    /// Flexible parts share what the parent has gained, each in proportion to its length; parts without length share it
    /// equally.
    init(
        start: Double, size: Double, design: Double, isStartFlexible: Bool, isSizeFlexible: Bool, isEndFlexible: Bool
    ) {
        let parts = [(start, isStartFlexible), (size, isSizeFlexible), (design - start - size, isEndFlexible)]
        let flexible = parts.filter { $0.1 }
        let sum = flexible.reduce(0) { $0 + $1.0 }
        func share(_ part: (length: Double, isFlexible: Bool)) -> Double {
            guard part.isFlexible else { return 0 }
            return abs(sum) < SpringLine.least ? 1 / Double(flexible.count) : part.length / sum
        }
        let (first, second) = (share(parts[0]), share(parts[1]))
        self.start = (start - first * design, first)
        self.size = (size - second * design, second)
    }

    /// Sums of lengths below it count as none.
    private static let least = 0.001

    func place(in length: Double) -> (start: Double, size: Double) {
        (start.constant + start.share * length, size.constant + size.share * length)
    }

    static func horizontal(_ frame: Frame, in design: Size, _ springs: Springs) -> SpringLine {
        SpringLine(
            start: frame.x, size: frame.width, design: design.width, isStartFlexible: springs.contains(.left),
            isSizeFlexible: springs.contains(.width), isEndFlexible: springs.contains(.right))
    }

    static func vertical(_ frame: Frame, in design: Size, _ springs: Springs) -> SpringLine {
        SpringLine(
            start: frame.y, size: frame.height, design: design.height, isStartFlexible: springs.contains(.top),
            isSizeFlexible: springs.contains(.height), isEndFlexible: springs.contains(.bottom))
    }
}
