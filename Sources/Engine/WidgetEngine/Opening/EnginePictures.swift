internal import WidgetBytes
package import WidgetRender
package import WidgetRunning

/// The pictures of a bundle, for printers. Each is made once: rewriting one of a catalogue takes longer than printing a
/// screen.
package final class EnginePictures: ViewAssets {
    private struct Name: Hashable {
        let text: String
        let scale: Int
        let isDark: Bool
    }

    private struct State {
        var known: [Name: PictureAnswer] = [:]
        var byteCount = 0
    }

    private let pictures: BundlePictures
    private let state = Guarded(State())

    /// The most bytes that are kept.
    private static let byteLimit = 32 << 20

    package init(_ pictures: BundlePictures) { self.pictures = pictures }

    package func image(_ name: String, scale: Int, isDark: Bool) -> PictureAnswer {
        let place = Name(text: name, scale: scale, isDark: isDark)
        return state.withLock { state in
            if let answer = state.known[place] { return answer }
            let answer = PictureAnswer(pictures.picture(name, scale: scale, isDark: isDark))
            if case .file(let file) = answer { state.byteCount += file.bytes.count }
            if state.byteCount > EnginePictures.byteLimit { state = State() }
            state.known[place] = answer
            return answer
        }
    }
}

extension PictureAnswer {
    /// The answer of a bundle, for a printer.
    package init(_ picture: BundlePictures.Picture) {
        switch picture {
        case .file(let file):
            let kind: PictureKind =
                switch file.kind {
                case .png: .png
                case .jpg: .jpg
                case .gif: .gif
                case .webp: .webp
                }
            self = .file(PictureFile(file.bytes, kind, width: file.width, height: file.height, scale: file.scale))
        case .missing: self = .missing
        case .unusable(let reason): self = .unusable(reason)
        }
    }
}
