import Testing

@testable import WidgetCore

/// Goal: a widget that asks its stub for many different things does not grow without end. Method: more answers and more
/// records than low limits allow.
@Suite struct `The answers of stubs that a store knows` {
    private final class Known {
        private var answers = ScriptedAnswers()
        private var budget = Budget()

        init(answers: Int = 100, records: Int = 100) {
            (budget.scriptedAnswerCount, budget.scriptedRecordCount) = (answers, records)
        }

        var count: Int { answers.count }
        subscript(key: String) -> Set<RecordID>? { answers[key] }

        /// False when entries are forgotten for the first time.
        @discardableResult
        func keep(_ records: [RecordID], as key: String, isNew: Bool = false) -> Bool {
            answers.keep(records, as: key, isNew: isNew, budget)
        }

        func leave(out record: RecordID) { answers = answers.keeping { $0 != record } }

        func others(than key: String) -> [Set<RecordID>] { Array(answers.others(than: key)) }
    }

    @Test func `Beyond the number of requests, the one that was answered the longest time ago is forgotten`() {
        let known = Known(answers: 2)
        #expect(known.keep([1], as: "a") && known.keep([2], as: "b"))
        #expect(known.keep([3], as: "a"), "the same request again takes no place")
        #expect(!known.keep([4], as: "c"))
        #expect(known.count == 2 && known["a"] == [1, 3] && known["b"] == nil && known["c"] == [4])
        #expect(known.keep([5], as: "d"), "it is reported once")
        #expect(known.count == 2)
    }

    @Test func `Beyond the number of records, the earliest answers are forgotten, and the last one if it is too large`()
    {
        let known = Known(records: 3)
        #expect(known.keep([1, 2], as: "a"))
        #expect(known.keep([3, 4], as: "a", isNew: true), "a new answer takes the place of the earlier one")
        #expect(!known.keep([5, 6], as: "b"))
        #expect(known.count == 1 && known["b"] == [5, 6])
        known.keep(Array(1...4), as: "c")
        #expect(known.count == 0)
    }

    @Test func `Records that no longer exist are left out, and the order of the answers stays`() {
        let known = Known(answers: 2)
        known.keep([1, 2], as: "a")
        known.keep([2, 3], as: "b")
        known.leave(out: 2)
        #expect(known["a"] == [1] && known["b"] == [3] && known.others(than: "a") == [[3]])
        known.keep([4], as: "c")
        #expect(known["a"] == nil && known["b"] == [3])
    }
}
