internal import Foundation
package import WidgetSurroundings
package import WidgetTestSupport
internal import Widgets

extension FakeToolchain {
    /// The toolchain and the package's program as functions.
    package var programs: any Programs { CalledPackage(self) }
}

/// A package's toolchain and its program as functions. A program that is to fail is started: only a process can crash.
private struct CalledPackage: Programs {
    private let toolchain: FakeToolchain
    private static let failures: Set = ["dies", "crashes", "nonsense", "hangs"]

    init(_ toolchain: FakeToolchain) { self.toolchain = toolchain }

    func run(_ path: String, _ arguments: [String], onLine: @Sendable (String) -> Void) -> Bool? {
        guard path == toolchain.path else { return nil }
        let (text, isClean) = toolchain.answer(to: arguments)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { onLine(String(line)) }
        return isClean
    }

    func begin(_ path: String, onLine: @escaping @Sendable (String) -> Void) -> Int32? {
        guard let text = try? String(contentsOfFile: "\(path).behaviour", encoding: .utf8) else { return nil }
        let words = Set(text.split(separator: " ").map(String.init))
        guard words.isDisjoint(with: CalledPackage.failures), let (outer, inner) = RawConnection.pair() else {
            return nil
        }
        Thread.detachNewThread {
            onLine("the answerer begins")
            let widget = AnsweringWidget(words)
            _ = ChannelLoop(widget) { widget.declaration }.run(on: inner)
            close(inner)
        }
        return outer
    }
}
