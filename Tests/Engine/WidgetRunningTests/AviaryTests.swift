import JSONText
import Testing
import WidgetCore
import WidgetFormats
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning
import WidgetTestSupport

/// Goal: the parts of a client of a real service (pages, refreshing, arrivals, ownership) follow the framework's
/// specification together. Method: the sample Aviary against a service that the test can change.
@Suite struct `A client of a service` {
    static func run(_ server: AviaryServer, changing: (inout [String: [UInt8]]) -> Void = { _ in }) throws -> ScriptRun
    {
        let widget = try SampleBundle.widget("Aviary", now: DemoBundle.evening, changing: changing)
        return ScriptRun(widget.instance, network: server) { ViewText(width: 72).text($0) }
    }

    static func script(_ text: String) throws -> EventScript { try EventScript(Array("[\(text)]".utf8)) }

    static let signIn = #"{"tap": "sessionItem"}, {"expect": "Ada Wren"}"#

    @Test func `The client has as many kinds of objects and questions as the framework's larger sample`() throws {
        var types: Set<String> = []
        var questions: Set<String> = []
        for (path, bytes) in Corpus.tree(at: "\(Corpus.repositoryRoot)/Bundles/Aviary") where path.hasSuffix(".json") {
            var pending = [try JSONValue(parsing: bytes)]
            while let value = pending.popLast() {
                pending += value.array ?? []
                for member in value.object?.members ?? [] {
                    if member.name == "type" { types.formUnion([member.value.string].compactMap { $0 }) }
                    if ["predicateFormat", "filterFormat"].contains(member.name) {
                        questions.formUnion([member.value.string].compactMap { $0 })
                    }
                    pending.append(member.value)
                }
            }
        }
        #expect(types.count >= 13 && questions.count >= 11)
    }

    @Test func `A list asks for a page at a time, for the rows after the last one, until the service has no more`()
        async throws
    {
        let server = AviaryServer(count: 10)
        var run = try Self.run(server)
        try await run.play(
            Self.script(
                #"""
                {"expect": "sighting 20"}, {"expectNot": "sighting 16"}, {"scroll": "feedTable", "to": "end"}, {"expect": "sighting 13"},
                {"scroll": "feedTable", "to": "end"}, {"scroll": "feedTable", "to": "end"}, {"scroll": "feedTable", "to": "start"}
                """#))
        #expect(
            server.asked == [
                "GET https://aviary.example.com/1/sightings.json?count=4",
                "GET https://aviary.example.com/1/sightings.json?count=4&before=17",
                "GET https://aviary.example.com/1/sightings.json?count=4&before=13",
                "GET https://aviary.example.com/1/sightings.json?count=4&before=11",
            ])
        #expect(run.instance.store.records.count == 12)
    }

    @Test func `One button signs in and out, and the chain continues with the account`() async throws {
        let server = AviaryServer(count: 2)
        var run = try Self.run(server)
        try await run.play(
            Self.script(
                #"{"expectNot": "(+)"}, \#(Self.signIn), {"expect": "(+)"}, {"tap": "sessionItem"}, {"expect": "[ Aviary ]"}, {"expectNot": "(+)"}"#
            ))
        #expect(
            server.asked.dropFirst() == [
                "POST https://aviary.example.com/1/account/login.json client=aviary",
                "GET https://aviary.example.com/1/sightings.json?count=4",
                "POST https://aviary.example.com/1/account/logout.json id=ada",
            ])
    }

    @Test func `Arrivals are counted behind a button, and shown when it is tapped`() async throws {
        let server = AviaryServer(count: 4)
        var run = try Self.run(server)
        // No user is signed in, so the timer's condition is false.
        try await run.play(Self.script(#"{"wait": 300}, {"expectNot": "new sighting"}"#))
        #expect(server.asked.count == 1)
        try await run.continue(
            with: Self.script(
                #"\#(Self.signIn), {"wait": 121}, {"expect": "2 new sightings…"}, {"expectNot": "sighting 23"}"#))
        let top = run.instance.store.screens[0].slots.first { $0.key.property.name == "constant" }?.value
        #expect(top?.isIdentical(to: .integer(8)) ?? false, "the button has come down")
        try await run.continue(
            with: Self.script(
                #"{"tap": "newButton"}, {"expect": "sighting 24"}, {"expect": "sighting 23"}, {"expectNot": "new sighting"}"#
            ))
    }

    @Test func `A search looks in the loaded rows while the user types, and asks the service for longer words`()
        async throws
    {
        let server = AviaryServer(count: 12)
        var run = try Self.run(server)
        try await run.play(
            Self.script(
                #"{"input": "searchField", "value": "11"}, {"wait": 1}, {"expectNot": "sighting 2"}, {"expect": "No birds yet"}"#
            ))
        #expect(server.asked.count == 1, "two letters are too few to ask")
        try await run.continue(
            with: Self.script(
                #"{"input": "searchField", "value": "g 11"}, {"wait": 1}, {"expect": "sighting 11"}, {"expectNot": "sighting 22"}"#
            ))
        #expect(server.asked.dropFirst() == ["GET https://aviary.example.com/1/search.json?q=g%2011"])
        // The end of the search results loads more of them, and no more of the feed.
        try await run.continue(with: Self.script(#"{"scroll": "feedTable", "to": "end"}"#))
        #expect(server.asked.dropFirst(2) == ["GET https://aviary.example.com/1/search.json?q=g%2011"])
        try await run.continue(
            with: Self.script(
                #"{"input": "searchField", "value": ""}, {"wait": 1}, {"expect": "sighting 22"}, {"expectNot": "sighting 11"}"#
            ))
    }

    @Test(arguments: [false, true])
    func `A user can delete only own records, whether or not the service refuses others`(refuses: Bool)
        async throws
    {
        let server = AviaryServer(count: 4)
        server.change { $0.refusesDeletion = refuses }
        var run = try Self.run(server)
        // Sighting 13 is Ada's, in the second row.
        try await run.play(Self.script(#"{"expect": "sighting 14"}"#))
        func refusal(_ row: Int) async -> String? {
            do {
                try await run.continue(with: Self.script(#"{"delete": "feedTable", "row": \#(row)}"#))
                return nil
            } catch {
                return "\(error)"
            }
        }
        var complaint = await refusal(1)
        #expect(complaint?.contains("only own records") ?? false, "no user is signed in")
        try await run.continue(with: Self.script(Self.signIn))
        complaint = await refusal(0)
        #expect(complaint?.contains("only own records") ?? false, "it is another user's")
        complaint = await refusal(1)
        #expect(complaint == nil)
        #expect(server.asked.last == "DELETE https://aviary.example.com/1/sightings/13.json")
        #expect(server.ids.contains(13) == refuses)
        try await run.continue(
            with: Self.script(#"{"wait": 1}, {"expectNot": "sighting 13"}, {"expect": "sighting 14"}"#))
    }

    @Test func `A failed request shows its reason, and pulling the list repeats it`() async throws {
        let server = AviaryServer(count: 3)
        server.change { $0.isDown = true }
        var run = try Self.run(server)
        try await run.play(
            Self.script(
                #"{"expect": "No birds"}, {"expect": "The sightings could not be loaded."}, {"expect": "no server"}, {"tap": "OK"}, {"expect": "No birds yet"}"#
            ))
        server.change { $0.isDown = false }
        try await run.continue(
            with: Self.script(#"{"refresh": "feedTable"}, {"expect": "sighting 13"}, {"expectNot": "No birds yet"}"#))
    }

    @Test func `A form is posted, kept while it is sent, and replaced by what the service made of it`() async throws {
        let server = AviaryServer(count: 3)
        var run = try Self.run(server)
        try await run.play(
            Self.script(
                #"""
                \#(Self.signIn), {"tap": "writeButton"}, {"expect": "New Sighting"}, {"input": "wordsView", "value": "\"Two\" \\ & more"},
                {"tap": "postItem"}, {"expect": "[ Ada Wren ]"}, {"expect": "\"Two\" \\ & more"}
                """#))
        #expect(
            server.asked.last
                == "POST https://aviary.example.com/1/sightings.json media_ids=&place=&text=%22Two%22%20%5C%20%26%20more"
        )
        server.change { $0.isDown = true }
        try await run.continue(
            with: Self.script(
                #"""
                {"tap": "writeButton"}, {"input": "wordsView", "value": "lost?"}, {"tap": "postItem"},
                {"expect": "The sighting could not be posted."}, {"tap": "OK"}, {"expect": "lost?"}, {"tap": "Cancel"}
                """#))
    }

    @Test func `A post sends two pictures, and the names that the service gave them with the words`() async throws {
        let server = AviaryServer(count: 3)
        var run = try Self.run(server)
        let pick = #"{"pick": "pictureButton", "file": "\#(Corpus.repositoryRoot)/Bundles/HarbourLog/gull.png"}"#
        try await run.play(
            Self.script(
                #"""
                \#(Self.signIn), {"tap": "writeButton"}, {"input": "wordsView", "value": "Two gulls"}, {"expectNot": "gull.png"},
                \#(pick), {"expect": "[gull.png]"}, \#(pick), {"tap": "postItem"}, {"expect": "Two gulls"}
                """#))
        #expect(
            server.asked.suffix(3).dropLast()
                == Array(repeating: "POST https://aviary.example.com/1/media/upload.json", count: 2))
        #expect(
            server.asked.last
                == "POST https://aviary.example.com/1/sightings.json media_ids=m1%2Cm2&place=&text=Two%20gulls")
        #expect(server.pictures.count == 2 && server.pictures.allSatisfy { $0.hasPrefix("media: ") })
        // A removed picture is not sent with the words.
        try await run.continue(
            with: Self.script(
                #"{"tap": "writeButton"}, {"input": "wordsView", "value": "None"}, \#(pick), {"tap": "dropPicture1"}, {"expectNot": "gull.png"}, {"tap": "postItem"}"#
            ))
        #expect(server.asked.last?.contains("media_ids=&") ?? false)
    }

    @Test func `Rows change with a setting, and the setting is kept`() async throws {
        let server = AviaryServer(count: 2)
        var run = try Self.run(server)
        try await run.play(
            Self.script(
                #"""
                {"expectNot": "[ben.png]"}, {"tap": "settingsItem"}, {"input": "portraitSwitch", "value": "yes"}, {"back": true},
                {"expect": "[ben.png]"}, {"tap": "settingsItem"}, {"expect": "[x]"}, {"tap": "portraitSwitch"}, {"back": true}, {"expectNot": "[ben.png]"}
                """#))
        #expect(run.instance.store.defaults["showPortraits"]?.isIdentical(to: .boolean(false)) ?? false)
        let isUnsaved = run.driver.hasUnsavedSettings
        #expect(isUnsaved)
    }
}
