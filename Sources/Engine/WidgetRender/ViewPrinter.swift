package import WidgetCore
package import WidgetLayout

/// A way to print a view: a view and the bytes of its pictures to the bytes of a document. It evaluates nothing.
package protocol ViewPrinter: Sendable {
    static var mediaType: String { get }

    /// - Parameter program: the program whose views it prints, which has their looks.
    init(_ program: Program, _ options: PrintOptions)

    func print(_ view: View, _ assets: some ViewAssets) -> [UInt8]
}

/// The room for a printed view, and the abilities of its display.
package struct PrintOptions: Sendable {
    /// The width of text, in cells.
    package var columns: Int
    /// The screen, in points.
    package var viewport: Viewport
    package var usesColor: Bool
    /// The scheme of pages; `nil` for the one that the reader's system has.
    package var scheme: Viewport.Scheme?
    /// The reader's language and region, as `de_AT`.
    package var locale = ""
    /// The number of programs that the widget has had, for its author; `nil` to print none.
    package var reloads: ReloadCount?
    /// The widths of texts in frames.
    package var measure: any TextMeasure = TextMetrics()

    package init(columns: Int = 80, viewport: Viewport = Viewport(), usesColor: Bool = false) {
        self.columns = columns
        self.viewport = viewport
        self.usesColor = usesColor
    }
}

/// The number of programs that a widget has had, and of those that it was to have: its author sees that a change has
/// come, even if nothing looks different.
package struct ReloadCount: Equatable, Sendable, CustomStringConvertible {
    package var revision: Int
    package var attempt: Int

    package init(revision: Int, attempt: Int) {
        self.revision = revision
        self.attempt = attempt
    }

    /// Attempts are named where programs were refused.
    package var description: String {
        "revision \(revision)" + (attempt == revision ? "" : " (attempt \(attempt))")
    }
}

/// The pictures that views name.
package protocol ViewAssets: Sendable {
    /// The file of a picture, at the scale or the nearest one.
    ///
    /// - Parameter isDark: true for the one of a dark scheme, which is the usual one where the picture has no other.
    func image(_ name: String, scale: Int, isDark: Bool) -> PictureAnswer
}

/// The kinds of pictures that pages show, by the ends of their names. Drawings of SVG can run scripts, and are never shown.
package enum PictureKind: String, CaseIterable, Sendable { case png, jpg, gif, webp }

/// A picture's bytes, with what they say of it: its kind, its pixels, and those of a point.
package struct PictureFile: Equatable, Sendable {
    package var bytes: [UInt8]
    /// The name of the file, if its bytes are kept elsewhere and are not here.
    package var keptName: String?
    package var kind: PictureKind
    package var width: Int
    package var height: Int
    package var scale: Double

    package init(_ bytes: [UInt8], _ kind: PictureKind, width: Int, height: Int, scale: Double) {
        self.bytes = bytes
        self.kind = kind
        self.width = width
        self.height = height
        self.scale = scale
    }
}

package enum PictureAnswer: Equatable, Sendable {
    case file(PictureFile)
    /// The bundle does not have the picture.
    case missing
    /// The bundle has the picture in a form that cannot be shown, with the reason.
    case unusable(String)
}

/// No pictures, for printers that name them alone.
package struct NoAssets: ViewAssets {
    package init() {}

    package func image(_ name: String, scale: Int, isDark: Bool) -> PictureAnswer { .missing }
}

/// The forms in which a view can be printed. The first is the usual one; a new one gets its case here.
package enum PrintedForm: String, CaseIterable, Sendable {
    case text, json, html, frames

    /// The name in commands and addresses.
    package var name: String { rawValue }

    package var mediaType: String {
        switch self {
        case .text: ViewText.mediaType
        case .json: ViewJSON.mediaType
        case .html: PagePrinter.mediaType
        case .frames: ViewFrames.mediaType
        }
    }

    /// - Parameter program: the program whose view it is.
    package func print(
        _ view: View, of program: Program, _ options: PrintOptions, _ assets: some ViewAssets
    ) -> [UInt8] {
        switch self {
        case .text: ViewText(program, options).print(view, assets)
        case .json: ViewJSON(program, options).print(view, assets)
        case .html: PagePrinter(program, options).print(view, assets)
        case .frames: ViewFrames(program, options).print(view, assets)
        }
    }

    /// The names for a sentence: `text, json, html or frames`.
    package static var choice: String {
        let names = allCases.map { $0.name }
        return names.dropLast().joined(separator: ", ") + (names.count > 1 ? " or " : "") + (names.last ?? "")
    }
}
