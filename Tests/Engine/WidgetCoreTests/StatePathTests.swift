import Testing
import WidgetCore
import WidgetPredicates

/// Parts of states, by their paths.
@Suite struct StatePathTests {
    private static func record(_ members: (String, Value)...) -> Value { .dictionary(PredicateDictionary(members)) }

    @Test func `A path is shown as authors write it, with signs in place of items`() {
        let path = StatePath("board").appending(.member("groups")).appending(.item(4)).appending(.member("name"))
        #expect(path.description == "board.groups[].name")
        #expect(path.prefix(1).description == "board.groups" && path.prefix(0) == StatePath("board"))
    }

    @Test func `A scene that becomes a part of another one takes the items of its states along`() throws {
        let path = StatePath("list").appending(.item(0)).appending(.member("done"))
        var field = Node(.textField)
        field.state = path
        var edit = ListEdit(.append, state: path)
        edit.value = .literal(.integer(1))
        field.events[.tap] = [.assign(.state(path), .literal(.integer(1))), .edit(edit)]
        let scene = Scene("Part", nodes: [Node(.box), field], root: 0)
        let moved = SceneRelocation(by: 10).moved(scene)
        let expected = StatePath("list").appending(.item(10)).appending(.member("done"))
        #expect(moved.nodes[1].state == expected)
        let steps = try #require(moved.nodes[1].events[.tap])
        guard case .assign(.state(let assigned), _) = steps[0], case .edit(let edited) = steps[1] else {
            Issue.record("The steps are others: \(steps)")
            return
        }
        #expect(assigned == expected && edited.state == expected)
    }

    @Test(arguments: [2, 40])
    func `A record with another member keeps the order of its members`(count: Int) {
        let record = PredicateDictionary((0..<count).map { ("m\($0)", Value.integer(Int64($0))) })
        let changed = record.setting("m1", to: .string("new"))
        #expect(changed.keys == record.keys && changed["m1"]?.string == "new" && changed["m0"]?.shown == "0")
        let added = changed.setting("other", to: .null)
        #expect(added.keys == record.keys + ["other"] && added["other"]?.isNull == true)
        #expect(added.count == count + 1 && record["m1"]?.shown == "1")
    }
}
