internal import RegistryContract

/// A still that is stored, chosen for a reader.
struct StillChoice: Equatable {
    let screen: ReleaseFacts.Screen
    /// The name under which its page is served.
    let part: String
    /// The size that it was made for.
    let size: DeviceChoice.Size
    /// True if it was made for all that the reader has chosen.
    let isExact: Bool

    /// The still that fits a choice best: of the same size if there is one, then of the same direction, language and scheme.
    ///
    /// - Parameters:
    ///   - screen: its name; `nil` for the first screen that has a still.
    ///   - stored: the names of the parts that there are.
    /// - Returns: `nil` for a screen without a still.
    init?(of screen: String?, for choice: DeviceChoice, in facts: ReleaseFacts, _ stored: Set<String>) {
        let sets = facts.stillSets
        for (place, found) in facts.screens.enumerated() where screen == nil || found.name == screen {
            var best: (part: String, set: ReleaseFacts.StillSet, fit: StillFit)?
            for set in sets {
                guard place < set.parts.count, let part = set.parts[place], stored.contains(part) else { continue }
                let fit = StillFit(set, choice)
                // Of those that fit equally well, the first: it is the one that was wanted most.
                if let best, !(best.fit < fit) { continue }
                best = (part, set, fit)
            }
            guard let best else { continue }
            let scheme = best.set.scheme == nil ? choice.scheme : nil
            self.screen = found
            part = scheme.map { SchemedPart(best.part, in: $0).name } ?? best.part
            size = best.set.size
            isExact = best.fit.isExact && choice.textSize == .usual
            return
        }
        return nil
    }
}

extension ReleaseView {
    /// The still of a screen that fits a choice best; the size of texts does not matter but for ``StillChoice/isExact``.
    ///
    /// - Parameter screen: its name; `nil` for the first screen that has a still.
    /// - Returns: `nil` for a screen without a still.
    func still(of screen: String? = nil, for choice: DeviceChoice = DeviceChoice()) -> StillChoice? {
        facts.flatMap { StillChoice(of: screen, for: choice, in: $0, parts) }
    }
}

/// A measure of how well stills fit a choice.
private struct StillFit: Comparable {
    private let values: [Int]
    let isExact: Bool

    init(_ set: ReleaseFacts.StillSet, _ choice: DeviceChoice) {
        let isSize = set.size == choice.size
        // Without a wish, the direction is that of the language.
        let isDirection = choice.direction.map { $0 == set.direction } ?? set.isUsualDirection
        let isLocale = set.locale == choice.locale
        let isLanguage = isLocale || StillFit.language(set.locale) == StillFit.language(choice.locale)
        // One that follows the system can be had in either scheme.
        let isScheme = set.scheme == nil || set.scheme == choice.scheme
        values = [
            isSize ? 1 : 0, isDirection ? 1 : 0, isLocale ? 2 : isLanguage ? 1 : 0, isScheme ? 1 : 0,
        ]
        isExact = isSize && isDirection && isLocale && isScheme
    }

    private static func language(_ locale: String?) -> Substring? {
        locale.flatMap { $0.split { $0 == "_" || $0 == "-" }.first }
    }

    static func < (one: StillFit, other: StillFit) -> Bool { one.values.lexicographicallyPrecedes(other.values) }
}
