internal import RegistryClient
internal import RegistryContract
internal import WidgetRegistry

/// The origin's feed of changes, read so that another feed in its place is noticed.
struct OriginFeed: Sendable {
    let origin: RemoteRegistry
    let scope: MirrorScope

    /// Lines of one answer. Its pages are no longer than this.
    private static let pageLimit = 1_000
    /// Answers until the end of a feed is found: far more changes than a registry has in its life.
    private static let mostPages = 100_000

    /// A line of the feed, about a bundle that is copied.
    struct Line: Sendable {
        let bundle: String
        /// `nil` for a line that this version does not understand: the bundle is compared as a whole.
        let change: RegistryChange?
    }

    /// The part of the feed behind a place.
    struct Part: Sendable {
        var lines: [Line] = []
        /// The last line that is known now.
        var end: MirrorState.Place
        var hasMore = false
    }

    /// Reads from behind a place; `nil` if the feed does not have that place, because it is another one.
    func part(after place: MirrorState.Place) async throws(MirrorError) -> Part? {
        var part = Part(end: place)
        var isFound = place.tag == 0
        // The known line comes again, so that its digest can be compared.
        var since = max(0, place.tag - 1)
        while true {
            let page: Page
            do throws(MirrorError) {
                page = try await self.page(since)
            } catch  where error.isUnknownPlace && place.tag > 0 {
                return nil
            }
            var lines = page.lines[...]
            if !isFound {
                guard let first = lines.popFirst(), MirrorState.Place(first) == place else { return nil }
                isFound = true
            }
            for line in lines {
                part.end = MirrorState.Place(line)
                if let own = try self.line(line) { part.lines.append(own) }
            }
            // Lines that are hidden from the mirror's token fill pages, too; those are passed over.
            guard let next = page.next, lines.isEmpty else {
                part.hasMore = page.next != nil
                return part
            }
            since = next
        }
    }

    /// The last place of the feed.
    func end() async throws(MirrorError) -> MirrorState.Place {
        var place = MirrorState.Place.start
        var since = 0
        for _ in 0..<OriginFeed.mostPages {
            let page = try await page(since)
            if let last = page.lines.last { place = MirrorState.Place(last) }
            guard let next = page.next else { return place }
            since = next
        }
        throw .contradiction("its feed has no end")
    }

    // MARK: Pages

    private struct Page {
        var lines: [ChangeDocument]
        var next: Int?
    }

    private func page(_ since: Int) async throws(MirrorError) -> Page {
        let document: PageDocument<ChangeDocument>
        do throws(FetchError) {
            document = try await origin.changes(since: since, limit: OriginFeed.pageLimit)
        } catch {
            throw .fetch(error)
        }
        var last = since
        for line in document.items {
            guard line.tag > last else { throw .contradiction("its feed goes back from \(last) to \(line.tag)") }
            last = line.tag
        }
        guard let text = document.next else { return Page(lines: document.items) }
        guard let next = Int(text), next >= last, next > since else {
            throw .contradiction("its feed continues where it was read already")
        }
        return Page(lines: document.items, next: next)
    }

    /// `nil` for a line about a bundle that is not copied.
    private func line(_ line: ChangeDocument) throws(MirrorError) -> Line? {
        let bundle = line.bundleIdentifier
        guard scope.includes(bundle) else { return nil }
        guard BundleIdentifier.isIdentifier(bundle) else {
            throw .contradiction("line \(line.tag) of its feed is about a bundle whose identifier is not any")
        }
        return Line(bundle: bundle, change: try? RegistryChange(line))
    }
}
