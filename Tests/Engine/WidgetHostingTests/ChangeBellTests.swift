import Testing
import WidgetTestSupport

@testable import WidgetHosting

/// Goal: the viewers of a widget come and leave on any thread. Method: many at once.
@Suite struct `A bell for viewers` {
    @Test func `It counts its viewers while others come and leave`() {
        let bell = ChangeBell()
        let stayed = (0..<5).map { _ in bell.stream() }
        together(8) { thread in
            for _ in 0..<500 {
                // A stream that is not read leaves at once.
                if thread.isMultiple(of: 2) { _ = bell.stream() } else { #expect((5...9).contains(bell.viewerCount)) }
            }
        }
        #expect(bell.viewerCount == stayed.count)
        bell.end()
        #expect(bell.viewerCount == 0)
    }

    @Test func `A viewer is notified at once, and of all that it has not read once`() async {
        let bell = ChangeBell()
        let stream = bell.stream()
        for _ in 0..<3 { bell.ring() }
        bell.end()
        var count = 0
        for await _ in stream { count += 1 }
        #expect(count == 1)
        // A stream from after the end has its first element as well.
        for await _ in bell.stream() { count += 1 }
        #expect(count == 2)
    }
}
