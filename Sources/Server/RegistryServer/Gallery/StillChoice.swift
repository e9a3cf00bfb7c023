internal import Registry
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
}

extension ReleaseView {
    /// The still that fits a choice best: of the same size if there is one, then of the same direction, language and scheme.
    ///
    /// - Parameter screen: its name; `nil` for the first screen that has a still.
    /// - Returns: `nil` for a screen without a still.
    func still(of screen: String? = nil, for choice: DeviceChoice = DeviceChoice()) -> StillChoice? {
        guard let facts else { return nil }
        let sets = facts.stillSets
        for (place, found) in facts.screens.enumerated() where screen == nil || found.name == screen {
            let fits = sets.compactMap { set -> (part: String, set: ReleaseFacts.StillSet, fit: StillFit)? in
                guard place < set.parts.count, let part = set.parts[place], parts.contains(part) else { return nil }
                return (part, set, StillFit(set, choice))
            }
            // Of those that fit equally well, the first: it is the one that was wanted most.
            guard var best = fits.first else { continue }
            for other in fits.dropFirst() where best.fit < other.fit { best = other }
            let scheme = best.set.scheme == nil ? choice.scheme : nil
            return StillChoice(
                screen: found, part: scheme.map { SchemedPart(best.part, in: $0).name } ?? best.part,
                size: best.set.size, isExact: best.fit.isExact && choice.textSize == .usual)
        }
        return nil
    }
}

/// How well stills fit a choice.
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
