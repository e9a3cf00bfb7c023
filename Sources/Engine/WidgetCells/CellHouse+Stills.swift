internal import Bytes
package import Files
internal import JSONText
package import WidgetRender

/// First screens, and what widgets are made of: answers of a cell for which it keeps nothing.
extension CellHouse {
    /// Prints a screen that cannot be touched.
    ///
    /// - Parameters:
    ///   - screen: the first one if `nil`.
    ///   - sheets: the addresses of the sheets that all pages have.
    ///   - run: the address that *Run* posts to, its title, and the script of the page; `nil` for a page without it.
    ///   - assets: the beginning of the addresses of the sheets and pictures that it alone has.
    /// - Returns: `nil` if the bundle lacks the screen.
    package func still(
        _ release: CellRelease, screen: String? = nil, on sheets: [String], _ options: PageOptions,
        run: (address: String, title: String, script: ScriptAddress?)? = nil, assets: String = "/assets/",
        opening open: @Sendable () throws(FileError) -> FileDescriptor
    ) async throws(CellRefusal) -> CellStill? {
        try await inTurn(release, open) { entry throws(CellRefusal) in
            var options = options
            (options.sheets, options.pictureFolder) = (sheets, assets)
            let answer = try await ask(entry, "still") { json in
                if let screen { json.member("screen", screen) }
                CellPlace.write(options, to: &json)
                if let run {
                    json.member("run", run.address)
                    json.member("title", run.title)
                    if let script = run.script { json.member("script", script.text) }
                }
            }
            guard let title = answer.text("title"), let sheet = answer.text("sheet") else { return nil }
            return CellStill(title, answer.body, sheet: sheet, entry.release)
        }
    }

    /// Says what a widget is made of that was started and not touched, as a document of JSON.
    ///
    /// - Parameter screen: the first one if `nil`.
    /// - Returns: `nil` if the bundle lacks the screen.
    package func inspection(
        _ release: CellRelease, screen: String? = nil, _ options: PageOptions,
        opening open: @Sendable () throws(FileError) -> FileDescriptor
    ) async throws(CellRefusal) -> [UInt8]? {
        try await inTurn(release, open) { entry throws(CellRefusal) in
            let answer = try await ask(entry, "inspect") { json in
                if let screen { json.member("screen", screen) }
                CellPlace.write(options, to: &json)
            }
            return answer.text("outcome") == "inspected" ? answer.body : nil
        }
    }

    private func ask(
        _ entry: Entry, _ what: String, _ members: (inout JSONWriter) -> Void
    ) async throws(CellRefusal) -> CellMessage {
        do throws(CellEnd) {
            let answer = try await entry.cell.ask(what, within: limits.eventSeconds, members)
            if let refused = answer.head["refused"].flatMap({ CellFinding($0) }) { throw CellEnd.refused(refused) }
            return answer
        } catch {
            throw CellRefusal(error)
        }
    }

    /// Asks a cell for something that it keeps nothing of. Few such questions wait for one cell.
    private func inTurn<Answer: Sendable>(
        _ release: CellRelease, _ open: @Sendable () throws(FileError) -> FileDescriptor,
        _ ask: (Entry) async throws(CellRefusal) -> Answer
    ) async throws(CellRefusal) -> Answer {
        let entry = try await place(release, network: nil, open)
        defer { entry.cell.remove("") }
        let cell = ObjectIdentifier(entry.cell)
        let isTaken = state.withLock { state in
            guard state.stills[cell, default: 0] < limits.waitingStills else { return false }
            state.stills[cell, default: 0] += 1
            return true
        }
        guard isTaken else { throw .busy }
        defer {
            state.withLock { state in
                let left = state.stills[cell, default: 1] - 1
                state.stills[cell] = left > 0 ? left : nil
            }
        }
        return try await ask(entry)
    }
}
