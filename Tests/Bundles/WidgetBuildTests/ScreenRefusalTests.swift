import Testing
import WidgetBuild

@Suite struct `Screens as text, refused` {
    /// The errors of a file, each as `line:column: sentence`, with the hint behind it.
    static func errors(_ text: String) -> [String] {
        do throws(BuildFailure) {
            _ = try ScreenNotation.storyboard(Array(text.utf8), path: "Main.screens")
            return []
        } catch {
            return error.errors.map { "\($0)".replacing("Main.screens:", with: "") + " (\($0.hints.first ?? ""))" }
        }
    }

    private static let cases: [(text: String, errors: [String])] = [
        ("", ["1:1: the file has no screen (`screen NAME \"Title\"` begins one)"]),
        ("# nothing\n", ["1:1: the file has no screen (`screen NAME \"Title\"` begins one)"]),
        ("screen", ["1:1: a screen needs a name (that of its scheme, such as `screen Details`)"]),
        ("scren A", ["1:1: \"scren\" is not a kind of line (did you mean `screen`?)"]),
        (
            "\"A\"",
            [
                "1:1: the line does not begin with its kind (a line begins with a word such as `screen`, `label` or `table`)"
            ]
        ),
        ("screen A\n\tlabel", ["2:1: a tab is not allowed here (indent with four spaces)"]),
        ("screen A\n  label", ["2:3: the line begins with 2 spaces (each step to the right is four spaces)"]),
        (
            "screen A\n        label",
            [
                "2:9: the line is not inside the one above it (indent it with four spaces more than the line it belongs to)"
            ]
        ),
        (
            "label a",
            [
                "1:1: a `label` cannot be outside a screen (it can be in: `screen`, `column`, `row`, `view`, `form`, `scroll`, `header`, `footer`, `cell`)"
            ]
        ),
        ("screen A\n    screen B", ["2:5: a `screen` cannot be inside another line (begin it at the left margin)"]),
        ("screen A\n    cell B", ["2:5: a `cell` cannot be in a `screen` (it can be in: `table`, `collection`)"]),
        (
            "screen A\n    label a\n        label b",
            [
                "3:9: a `label` cannot be in a `label` (it can be in: `screen`, `column`, `row`, `view`, `form`, `scroll`, `header`, `footer`, `cell`)"
            ]
        ),
        (
            "screen A\n    label 9a",
            ["2:11: \"9a\" cannot be a name (a name has letters, digits, `_`, `-` and dots; `named \"…\"` takes any)"]
        ),
        ("screen A\n    switch s \"On\"", ["2:14: a `switch` has no text (put a `label` beside it)"]),
        (
            "screen A\n    image i \"sun\"",
            ["2:13: a `image` has no text (`picture NAME` names a picture of the bundle)"]
        ),
        (
            "screen A\n    label a bold \"Text\"",
            ["2:18: the text belongs to no property (the text of a line comes before its properties)"]
        ),
        ("screen A\n    label a \"ä", ["2:13: the text has no end (a text ends with a quotation mark in its line)"]),
        (
            "screen A\n    label a \"ä\\q\"",
            [
                "2:15: a backslash has no meaning here (\\n begins a line, \\t is a tab, \\\" a quotation mark, \\\\ a backslash)"
            ]
        ),
        (
            "screen A\n    label a \"b\"bold",
            ["2:16: a space is missing behind the text (a quotation mark in a text is written \\\")"]
        ),
        ("screen A\n    label a \"b\u{1}\"", ["2:15: a control character is not allowed in a text (\\t is a tab)"]),
        ("screen A\n    label a \"b\u{FFFF}\"", ["2:15: the line has a character that no interface can hold ()"]),
        ("screen A\n    label a blod", ["2:13: \"blod\" is not a property (did you mean `bold`?)"]),
        (
            "screen A\n    label a keyboard email",
            ["2:13: a `label` has no `keyboard` (it is for: `textField`, `textView`, `search`)"]
        ),
        ("screen A\n    label a bold bold", ["2:18: `bold` is given twice ()"]),
        ("screen A\n    label a size", ["2:13: `size` needs a number (such as `size 8`)"]),
        ("screen A\n    label a size big", ["2:18: `size` needs a number (such as `size 8`)"]),
        ("screen A\n    label a size 1e99", ["2:18: `size` needs a number (such as `size 8`)"]),
        ("screen A\n    label a lines 1.5", ["2:19: `lines` needs a whole number ()"]),
        ("screen A\n    label a align centre", ["2:19: `align` needs one of its words (did you mean `center`?)"]),
        ("screen A\n    label a color gren", ["2:19: `color` needs a colour (did you mean `green`?)"]),
        (
            "screen A\n    textField a placeholder Name",
            ["2:29: `placeholder` needs a text (such as `placeholder \"Text\"`)"]
        ),
        ("screen A\n    textField a field 9", ["2:23: `field` needs a name (such as `field title`)"]),
        ("screen A\n    label a set 7", ["2:17: `set` needs a key and a value (such as `set cornerRadius 8`)"]),
        (
            "screen A\n    label a set x odd",
            ["2:19: `set x` needs a value (a text in quotation marks, a number, a colour, yes or no)"]
        ),
        ("screen A\n    label a set x 1 set x 2", ["2:21: `set x` is given twice ()"]),
        ("screen A\n    label a named b", ["2:13: the line has a name already ()"]),
        (
            "screen A\n    label a style body bold",
            ["2:5: `style` and `bold` cannot be together (a style has a size and a weight)"]
        ),
        (
            "screen A\n    label a bold italic",
            ["2:5: `bold` and `italic` cannot be together (interfaces have no such font)"]
        ),
        (
            "screen A\n    label a -> A",
            ["2:13: a `label` cannot lead to a screen (`cell`, `button`, `left`, `right` and `tab` can)"]
        ),
        (
            "screen A\n    button a ->",
            ["2:14: `->` needs the name of a screen (such as `-> Details`, `-> back` or `-> dismiss`)"]
        ),
        (
            "screen Detail\n    button a -> Details",
            ["2:17: no screen is called \"Details\" (did you mean `Detail`?)"]
        ),
        ("screen A\n    button a -> A as", ["2:19: `as` needs the segue's name ()"]),
        ("screen A\n    button a -> A -> A", ["2:19: the line leads to two places ()"]),
        (
            "screen A\n    table t\n        cell -> back",
            ["3:17: a `cell` cannot lead back (`button`, `left` and `right` can)"]
        ),
        ("screen A\nscreen A", ["2:1: two screens are called \"A\" (the first is at line 1)"]),
        (
            "screen A initial\nscreen B initial",
            ["2:1: two lines are `initial` (a widget begins with one screen; the first is at line 1)"]
        ),
        ("screen A largeTitles", ["1:1: `largeTitles` is for a screen with a bar (add `in stack`)"]),
        (
            "screen A\n    label a\n    row\n        label a",
            [
                "4:9: two views are called \"a\" "
                    + "(only the first, at line 2, would be found; give one of them another name)"
            ]
        ),
        (
            "screen A\n    table t\n        cell\n        cell Cell",
            [
                "4:9: two cells are called \"Cell\" "
                    + "(only the first, at line 3, would be found; give one of them another name)"
            ]
        ),
        (
            "screen A\n    table t\n        search s\n        header",
            ["4:9: a table has one header (put the `search` and the other views into one `header`)"]
        ),
        ("screen A\n    table t\n        footer\n        footer", ["4:9: a table has one footer ()"]),
        ("tabs\n", ["1:1: tabs need a `tab` (such as `tab \"Notes\" -> Notes`)"]),
        ("tabs\n    tab \"A\"", ["2:5: a tab has to lead to a screen (such as `tab \"Notes\" -> Notes`)"]),
        ("tabs\n    tab \"A\" -> A\n    tab \"B\" -> A\nscreen A", ["3:16: the screen \"A\" is in two tabs ()"]),
        ("screen A\n    segmented s", ["2:5: a `segmented` needs `segments` (such as `segments \"One\" \"Two\"`)"]),
        (
            "screen A\n    segmented s segments \"A|B\"",
            [
                "2:5: a `segmented` has one segment, \"A|B\" (each segment has its quotation marks: `segments \"A\" \"B\"`)"
            ]
        ),
        (
            "screen A\n    segmented s segments \"A\" \"B\" selected 2",
            ["2:5: `selected` is beyond the segments (places count from 0, and there are 2 segments)"]
        ),
        (
            "screen A\n    slider s min 10",
            ["2:5: a `slider` has its `min` above its `max` (it could have no value; `max` is 1)"]
        ),
        ("screen A\n    stepper s min 10 step 0", ["2:5: a `step` has to be greater than 0 ()"]),
        (
            "screen A\n    row\n        label a centered",
            ["3:9: a view in a `row` cannot be `centered` (put it into the screen, or use `items center`)"]
        ),
    ]

    @Test func `Each mistake is an error with its line, its column and what to do`() {
        for (text, errors) in Self.cases { #expect(Self.errors(text) == errors, "\(text)") }
    }

    @Test func `All errors of a file are found in one run, and lines inside a wrong one are not judged`() {
        let text = """
            screen A
                lable a
                    cell b
                label c size
            screen A
                button d -> Nowhere
            """
        #expect(Self.errors(text).map { $0.prefix(4) } == ["2:5:", "4:13", "5:1:", "6:17"])
    }

    @Test func `Each limit of a file is refused by its name`() {
        func first(_ text: String) -> String { Self.errors(text).first ?? "" }
        #expect(
            first(String(repeating: "#", count: 1 << 20 | 1)).hasPrefix("1:1: the file has more than 1048576 bytes"))
        #expect(first(String(repeating: "\n", count: 20_001)).hasPrefix("20001:1: the file has more than 20000 lines"))
        #expect(
            first("screen A\n    label a \"\(String(repeating: "b", count: 4_096))\"")
                .hasPrefix("2:4096: the line has more than 4096 bytes"))
        let deep = (1..<17).map { String(repeating: " ", count: $0 * 4) + "view\n" }.joined()
        #expect(first("screen A\n\(deep)").hasPrefix("17:65: lines are more than 16 deep inside each other"))
        let many = String(repeating: "    label\n", count: 4_000)
        #expect(first("screen A\n\(many)").hasPrefix("4001:5: the file has more than 4000 views"))
    }

    @Test func `A file that is not UTF-8 is refused with the line`() throws {
        let failure = #expect(throws: BuildFailure.self) {
            try ScreenNotation.storyboard(Array("screen A\n    label ".utf8) + [0xFF], path: "Main.screens")
        }
        #expect(failure?.errors.map { "\($0)" } == ["Main.screens:2:1: the line is not text in UTF-8"])
    }
}
