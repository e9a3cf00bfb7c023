package import RegistryContract
package import WidgetRegistry

/// The stills that are made of a release: for which devices and readers, and how many bytes they may have.
package struct StillPlan: Equatable, Sendable {
    package var sizes: [DeviceChoice.Size] = [.phone]
    /// With both, a still follows its reader's system, and serves a reader who forces either (``SchemedPart``).
    package var schemes: [DeviceChoice.Scheme] = [.light, .dark]
    package var directions: [DeviceChoice.Direction] = [.leftToRight]
    /// Languages and regions, or ``own``.
    package var locales = [StillPlan.own]
    /// The bytes of all stills of a release, with their sheets and pictures.
    package var byteCount = 768 << 10

    /// The word for the language that a bundle is written in.
    package static let own = "own"
    /// The most languages.
    package static let mostLocales = 16
    package static let byteCounts = (64 << 10)...(8 << 20)
    /// Raised when stills are drawn in another way, so that they are made anew.
    private static let revision = 2

    package init() {}

    /// A device and a reader.
    package struct Combination: Equatable, Sendable {
        package let size: DeviceChoice.Size
        package let direction: DeviceChoice.Direction
        /// `nil` for the bundle's own.
        package let locale: String?
    }

    /// The combinations, the most wanted one first: all sizes of the first direction and language, then those of the next.
    package var combinations: [Combination] {
        locales.flatMap { locale in
            directions.flatMap { direction in
                sizes.map { size in
                    Combination(size: size, direction: direction, locale: locale == StillPlan.own ? nil : locale)
                }
            }
        }
    }

    /// The scheme of all stills; `nil` for stills that follow their reader's system.
    package var onlyScheme: DeviceChoice.Scheme? { schemes.count == 1 ? schemes.first : nil }

    /// As one text, without line ends.
    package var text: String {
        [
            StillPlan.words(sizes), StillPlan.words(schemes), StillPlan.words(directions),
            locales.joined(separator: ","), String(byteCount),
        ].joined(separator: " ")
    }

    /// Reads ``text``; `nil` for anything else.
    package init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count == 5, let sizes: [DeviceChoice.Size] = StillPlan.list(words[0]),
            let schemes: [DeviceChoice.Scheme] = StillPlan.list(words[1]),
            let directions: [DeviceChoice.Direction] = StillPlan.list(words[2]), let byteCount = Int(words[4]),
            StillPlan.byteCounts.contains(byteCount)
        else { return nil }
        let locales = words[3].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard 1...StillPlan.mostLocales ~= locales.count, Set(locales).count == locales.count,
            locales.allSatisfy(DeviceChoice.isLocale)
        else { return nil }
        (self.sizes, self.schemes, self.directions) = (sizes, schemes, directions)
        (self.locales, self.byteCount) = (locales, byteCount)
    }

    private static func words<Word: RawRepresentable<String>>(_ words: [Word]) -> String {
        words.map(\.rawValue).joined(separator: ",")
    }

    /// Different words, at least one.
    private static func list<Word: RawRepresentable<String>>(_ text: String) -> [Word]? {
        let texts = text.split(separator: ",", omittingEmptySubsequences: false)
        let words = texts.compactMap { Word(rawValue: String($0)) }
        return words.count == texts.count && Set(texts).count == texts.count ? words : nil
    }

    /// The name of the part by which a release says that it was looked at for this plan.
    package var mark: String { "stills \(StillPlan.revision) \(text)" }

    package var markPart: ReleasePart { StillPlan.note(mark, "done") }

    /// The part that counts the looks for this plan that have ended early.
    package func attempts(_ count: Int) -> ReleasePart { StillPlan.note(StillPlan.attemptsName, "\(count) \(mark)") }

    package static let attemptsName = "attempts"

    /// The looks for this plan that a part counts.
    package func attempts(in part: ReleasePart?) -> Int {
        let words = String(decoding: part?.content ?? [], as: UTF8.self).split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[1] == mark else { return 0 }
        return Int(words[0]) ?? 0
    }

    private static func note(_ name: String, _ text: String) -> ReleasePart {
        ReleasePart(name: name, mediaType: "text/plain; charset=utf-8", content: Array(text.utf8))
    }
}
