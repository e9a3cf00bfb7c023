import Testing
import WidgetBytes
import WidgetHosting
import WidgetRunning
import WidgetSurroundings
import WidgetTestSupport

@testable import WidgetHost

/// Goal: pictures are fetched once, few at a time, and kept within bounds. Method: fetches that end when the test
/// says so, under a clock that it moves.
@Suite struct `Fetched pictures` {
    /// Fetches that wait until they are let through.
    private final class Fetches: Sendable {
        let begun = Observed([String]())
        let open = Observed(Set<String>())
        /// The fetches that are under way, the most there were, and those whose task was cancelled.
        let underWay = Observed((count: 0, most: 0, cancelled: 0))

        func fetch(_ address: String, _ picture: FetchedPicture) async -> FetchedPicture {
            underWay.change { $0 = ($0.count + 1, max($0.most, $0.count + 1), $0.cancelled) }
            begun.change { $0.append(address) }
            await withTaskCancellationHandler {
                await open.becomes { $0.contains(address) }
            } onCancel: {
                underWay.change { $0.cancelled += 1 }
                letThrough(address)
            }
            underWay.change { $0.count -= 1 }
            return picture
        }

        func letThrough(_ address: String) { open.change { _ = $0.insert(address) } }
    }

    private let clock = ManualClock()
    private let fetches = Fetches()

    private static func picture(_ width: UInt32) -> FetchedPicture {
        FetchedPicture(PictureForge.png(width: width, height: 1))
    }

    private func begin(
        _ address: String, of pictures: WebPictures, _ picture: FetchedPicture = picture(1)
    ) -> Task<FetchedPicture, Never> {
        let fetches = fetches
        return Task { await pictures.picture(at: address) { await fetches.fetch(address, picture) } }
    }

    @Test func `Many who show one picture share a fetch, and later ones have it from memory`() async {
        let pictures = WebPictures(clock: clock)
        let waiting = (0..<5).map { _ in begin("a", of: pictures) }
        await fetches.begun.becomes { $0 == ["a"] }
        fetches.letThrough("a")
        for task in waiting { #expect(await task.value == Self.picture(1)) }
        #expect(await begin("a", of: pictures).value == Self.picture(1))
        #expect(fetches.begun.value == ["a"])
    }

    @Test func `Four are fetched at once, and the others when there is room`() async {
        let pictures = WebPictures(clock: clock)
        let tasks = (1...12).map { begin("\($0)", of: pictures, Self.picture($0)) }
        for count in 4...12 {
            await fetches.begun.becomes { $0.count >= count }
            fetches.letThrough(fetches.begun.value[count - 4])
        }
        for address in fetches.begun.value { fetches.letThrough(address) }
        for (place, task) in tasks.enumerated() { #expect(await task.value == Self.picture(UInt32(place + 1))) }
        #expect(fetches.underWay.value.most == 4)
    }

    @Test func `More than a thousand wishes at once are refused`() async {
        var limits = WebPictures.Limits()
        limits.wanted = 1
        let pictures = WebPictures(limits, clock: clock)
        let first = begin("a", of: pictures)
        await fetches.begun.becomes { $0 == ["a"] }
        #expect(await begin("b", of: pictures).value == .failed("1 others are being fetched"))
        fetches.letThrough("a")
        #expect(await first.value == Self.picture(1))
    }

    @Test func `A fetch ends with the last task that waits for it`() async {
        let pictures = WebPictures(clock: clock)
        let (first, second) = (begin("a", of: pictures), begin("a", of: pictures))
        await fetches.begun.becomes { $0 == ["a"] }
        first.cancel()
        #expect(await first.value == .failed("it is not wanted any longer"))
        #expect(fetches.underWay.value.cancelled == 0, "another one waits")
        second.cancel()
        _ = await second.value
        await fetches.underWay.becomes { $0.cancelled == 1 }
        // What had come of it is not kept.
        let third = begin("a", of: pictures, Self.picture(3))
        #expect(await third.value == Self.picture(3))
        #expect(fetches.begun.value == ["a", "a"])
    }

    @Test func `A failure is remembered for half a minute, and a picture for ten`() async {
        let pictures = WebPictures(clock: clock)
        for name in ["bad", "good"] { fetches.letThrough(name) }
        func ask() async {
            _ = await begin("bad", of: pictures, .failed("gone")).value
            _ = await begin("good", of: pictures).value
        }
        await ask()
        clock.advance(by: .seconds(29))
        await ask()
        #expect(fetches.begun.value == ["bad", "good"])
        clock.advance(by: .seconds(1))
        await ask()
        #expect(fetches.begun.value == ["bad", "good", "bad"])
        clock.advance(by: .seconds(570))
        await ask()
        #expect(fetches.begun.value == ["bad", "good", "bad", "bad", "good"])
    }

    @Test(arguments: [(2, Int.max), (Int.max, 2 * 33)])
    func `Beyond the bounds, the picture that was asked for longest ago is dropped`(count: Int, byteCount: Int) async {
        var limits = WebPictures.Limits()
        (limits.count, limits.byteCount) = (count, byteCount)
        let pictures = WebPictures(limits, clock: clock)
        for name in ["a", "b", "a", "c"] {
            fetches.letThrough(name)
            _ = await begin(name, of: pictures).value
        }
        #expect(fetches.begun.value == ["a", "b", "c"])
        _ = await begin("a", of: pictures).value
        #expect(fetches.begun.value == ["a", "b", "c"], "it was used after b")
        _ = await begin("b", of: pictures).value
        #expect(fetches.begun.value == ["a", "b", "c", "b"])
    }
}
