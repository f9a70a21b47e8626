//! Readers of verdict files: each format by a small original file, and the traps of real files.

#![allow(clippy::unwrap_used)]

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use judgelab::evidence::Verdict::{self, First, Invalid, Second, Tie};
use judgelab::verdicts::{
    Coding, Contents, Counts, Format, Grades, Known, Mistake, Mode, NO_LENGTH, Options, Read, Role,
    Verdicts, read,
};

fn ok(text: &str) -> Contents {
    read("judge-x.csv", text.as_bytes(), &Options::default()).unwrap_or_else(|it| panic!("{it}"))
}

fn with(text: &str, options: &Options) -> Contents {
    read("judge-x.csv", text.as_bytes(), options).unwrap_or_else(|it| panic!("{it}"))
}

fn wrong(text: impl AsRef<[u8]>) -> Mistake {
    read("judge-x.csv", text.as_ref(), &Options::default()).unwrap_err()
}

fn pairs(contents: &Contents) -> &Verdicts {
    match &contents.read {
        Read::Pairs(it) => it,
        Read::Grades(it) => panic!("these are pairs: {it:?}"),
    }
}

fn grades(contents: &Contents) -> &Grades {
    match &contents.read {
        Read::Grades(it) => it,
        Read::Pairs(it) => panic!("these are grades: {it:?}"),
    }
}

fn says(contents: &Contents) -> Vec<Verdict> {
    pairs(contents).ballots.iter().map(|it| it.verdict).collect()
}

fn golds(contents: &Contents) -> Vec<Verdict> {
    pairs(contents).ballots.iter().map(|it| it.gold).collect()
}

/// A row as names.
fn told(contents: &Contents, row: usize) -> [&str; 6] {
    let all = pairs(contents);
    let it = all.ballots[row];
    [
        all.items.name(it.item),
        all.systems.name(it.first),
        all.systems.name(it.second),
        all.judges.name(it.judge),
        all.strata.name(it.stratum),
        all.repeats.name(it.repeat),
    ]
}

#[test]
fn a_plain_table() {
    let text = "pair,first,second,verdict,judge,repeat,length_first,length_second,gold,stratum\n\
                q1,gpt,claude,A,haiku,1,10,20,gpt,easy\n\
                q1,claude,gpt,B,haiku,1,20,10,gpt,easy\n\
                q2,gpt,claude,C,haiku,1,0,,tie,hard\n\
                q2,claude,gpt,,haiku,1,-3,7.6,,hard\n";
    let it = ok(text);
    assert_eq!(
        (it.format, it.coded.unwrap().coding, it.coded.unwrap().known),
        (Format::Plain, Coding::Slot, Known::Values)
    );
    assert_eq!(says(&it), [First, Second, Tie, Invalid]);
    assert_eq!(golds(&it), [First, Second, Tie, Invalid]);
    assert_eq!(told(&it, 1), ["easy/q1", "claude", "gpt", "haiku", "easy", "1"]);
    let lengths: Vec<_> =
        pairs(&it).ballots.iter().map(|it| (it.length_first, it.length_second)).collect();
    assert_eq!(lengths, [(10, 20), (20, 10), (0, NO_LENGTH), (NO_LENGTH, 8)]);
    let expected = Counts {
        records: 4,
        kept: 4,
        invalid: 1,
        missing: 1,
        both_orders: 2,
        zero_lengths: 1,
        odd_lengths: 1,
        ..Counts::default()
    };
    assert_eq!(it.counts, expected);
    assert_eq!(pairs(&it).ballots.iter().map(|it| it.line).collect::<Vec<_>>(), [2, 3, 4, 5]);
}

/// The same verdicts, whatever separates fields, ends lines or packs the file.
#[test]
fn separators_line_ends_marks_and_packing_change_nothing() {
    let text = "pair,first,second,winner\nq1,gpt,claude,gpt\nq1,claude,gpt,claude\n";
    let plain = ok(text);
    assert_eq!((says(&plain), plain.coded.unwrap().coding), (vec![First, First], Coding::System));
    let rows = [
        text.replace(',', "\t"),
        text.replace(',', ";"),
        text.replace(',', " , "),
        text.replace('\n', "\r\n"),
        format!("\u{feff}{text}"),
        text.replace('\n', "\n\n"),
        text.trim_end().to_owned(),
        "{\"pair\":\"q1\",\"first\":\"gpt\",\"second\":\"claude\",\"winner\":\"gpt\",\"text\":\"[]{}\\\"\"}\n\r\n\
         {\"winner\":\"claude\",\"second\":\"gpt\",\"first\":\"claude\",\"pair\":\"q1\",\"more\":{\"a\":[1,2]}}"
            .to_owned(),
        "\u{feff}[{\"pair\":\"q1\",\"first\":\"gpt\",\"second\":\"claude\",\"winner\":\"gpt\"},\n\
          {\"pair\":\"q1\",\"first\":\"claude\",\"second\":\"gpt\",\"winner\":\"claude\"}]\n"
            .to_owned(),
        "{\n \"pair\": \"q1\",\n \"first\": \"gpt\", \"second\": \"claude\", \"winner\": \"gpt\"\n}\n{\n \"pair\": \"q1\",\n\
          \"first\": \"claude\", \"second\": \"gpt\", \"winner\": \"claude\"\n}\n"
            .to_owned(),
    ];
    for rewritten in rows {
        let again = ok(&rewritten);
        assert_eq!((says(&again), told(&again, 1)), (says(&plain), told(&plain, 1)), "{rewritten}");
        assert_eq!(again.counts, plain.counts, "{rewritten}");
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        packed.write_all(rewritten.as_bytes()).unwrap();
        let packed = packed.finish().unwrap();
        let unpacked = read("judge-x.csv.gz", packed.as_slice(), &Options::default()).unwrap();
        assert_eq!(unpacked, again);
        // A packed file that breaks off is a mistake, not a shorter file.
        assert!(read("judge-x.csv.gz", &packed[..packed.len() - 9], &Options::default()).is_err());
    }
}

#[test]
fn what_is_no_text_is_named() {
    let utf16: Vec<u8> = "pair,first".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked: Vec<u8> = [0xFF, 0xFE].into_iter().chain(utf16.iter().copied()).collect();
    for bytes in [utf16, marked] {
        let mistake = wrong(bytes);
        assert!(mistake.rule.contains("UTF-16") && mistake.remedy.contains("iconv"), "{mistake}");
    }
    assert!(wrong("PK\x03\x04 rest").rule.contains("zip"));
    assert!(wrong(" \n\t\n").rule.contains("nothing"));
    assert!(wrong("").rule.contains("nothing"));
    assert!(wrong("pair,first,second,verdict\n").rule.contains("no records"));
    assert!(wrong("[]").rule.contains("no records"));
    assert!(wrong("PAR1\x15\x04").remedy.contains("CSV"));
}

#[test]
fn latin1_is_read_and_counted() {
    let text = b"pair,first,second,verdict\nq1,caf\xE9,b\xFCrger,A\nq2,caf\xE9,b\xFCrger,2\n";
    let it = read("x.csv", text.as_slice(), &Options::default()).unwrap();
    assert_eq!((it.counts.latin1, told(&it, 0)[1]), (2, "café"));
    let json =
        b"{\"pair\":1,\"first\":\"caf\xE9\",\"second\":\"b\",\"verdict\":\"A\",\"text\":\"\xE9\"}";
    let it = read("x.jsonl", json.as_slice(), &Options::default()).unwrap();
    assert_eq!((it.counts.latin1, told(&it, 0)), (1, ["1", "café", "b", "x", "", ""]));
}

#[test]
fn bad_lines_are_named_counted_and_passed_over_unless_strict() {
    let text = "pair,first,second,verdict\nq1,a1,b1,A\nq2,a1,b1\nq3,a1,b1,perhaps\n,a1,b1,A\nq5,,b1,A\nq6,a1,b1,B\n";
    let it = ok(text);
    assert_eq!((it.counts.records, it.counts.kept, it.counts.bad), (6, 2, 4));
    let named: Vec<(u64, &str)> =
        it.counts.first_bad.iter().map(|it| (it.line, it.value.as_str())).collect();
    assert_eq!(named, [(3, ""), (4, "perhaps"), (5, ""), (6, "")]);
    assert!(it.counts.first_bad[0].rule.contains("3 fields and the header 4"));
    let strict = Options { strict: true, ..Options::default() };
    let mistake = read("x.csv", text.as_bytes(), &strict).unwrap_err();
    assert_eq!(mistake.line, Some(3));
    assert!(mistake.to_string().starts_with("x.csv:3: this line has 3 fields"), "{mistake}");
    assert!(
        wrong("pair,first,second,verdict\nq1,a,b,perhaps\n").rule.contains("none of 1 records")
    );
}

#[test]
fn newlines_in_quotes_and_json_that_breaks_off() {
    let text = "pair,first,second,verdict,text\nq1,a,b,A,\"two\nlines, and \"\"quotes\"\"\"\nq2,a,b,B,x\nq3,a,b,maybe not\n";
    let it = ok(text);
    assert_eq!((it.counts.kept, it.counts.first_bad[0].line), (2, 5));
    let list = r#"[{"pair":1,"first":"a","second":"b","verdict":"A"},{"pair":2,"first":"a","#;
    let it = ok(list);
    assert_eq!((it.counts.kept, it.counts.bad, it.counts.first_bad[0].line), (1, 1, 2));
    assert!(it.counts.first_bad[0].rule.contains("breaks off"));
    let unclosed = r#"[{"pair":1,"first":"a","second":"b","verdict":"A"},"#;
    assert_eq!(ok(unclosed).counts.bad, 1);
    let lines = "{\"pair\":1,\"first\":\"a\",\"second\":\"b\",\"verdict\":\"A\"}\n{\"pair\":2,\"first\n[1]\n\"x\"\n\
                 {\"pair\":3,\"first\":\"a\",\"second\":\"b\",\"verdict\":\"B\"}\n";
    let it = ok(lines);
    assert_eq!((it.counts.kept, it.counts.bad, says(&it)), (2, 3, vec![First, Second]));
    assert_eq!(pairs(&it).ballots[1].line, 5);
    let odd = r#"[1, "x", null, {"pair":1,"first":"a","second":"b","verdict":"A"}, [], }]"#;
    assert_eq!((ok(odd).counts.kept, ok(odd).counts.bad), (1, 5));
}

#[test]
fn answers_that_are_no_strings() {
    let text = r#"{"pair":7,"first":1,"second":true,"verdict":{"A":1},"response_a":null,"response_b":["x"]}
{"pair":7,"first":1,"second":true,"verdict":1,"response_a":12,"response_b":"four"}
{"pair":8,"first":1,"second":true,"verdict":null,"response_a":"","response_b":{"text":"x"}}
"#;
    let it = ok(text);
    assert_eq!((it.counts.kept, it.counts.invalid, it.counts.missing), (3, 2, 2));
    assert_eq!(told(&it, 0)[..3], ["7", "1", "true"]);
}

#[test]
fn duplicates_self_play_and_one_sided_pairs_are_counted() {
    let text = "pair,first,second,verdict,repeat\nq1,a1,b1,A,1\nq1,a1,b1,A,1\nq1,b1,a1,A,1\nq1,a1,b1,B,1\nq2,a1,a1,A,1\nq3,a1,b1,A,2\n";
    let it = ok(text);
    let expected = Counts {
        records: 6,
        kept: 3,
        duplicates: 1,
        contradicted: 1,
        self_play: 1,
        both_orders: 1,
        one_sided: 1,
        ..Counts::default()
    };
    assert_eq!((it.counts.clone(), says(&it)), (expected, vec![First, First, First]));
    assert!(wrong("pair,first,second,verdict\nq2,a,a,A\n").rule.contains("with itself"));
}

/// Without a column of repeats, copies are left out, and askings that differ are repeats.
#[test]
fn the_same_asking_again_is_a_copy_or_a_repeat() {
    let copies = "pair,first,second,verdict\nq1,x,y,A\nq1,y,x,A\nq1,x,y,A\n";
    assert_eq!((ok(copies).counts.duplicates, ok(copies).counts.kept), (1, 2));
    let repeats = ok("pair,first,second,verdict\nq1,x,y,A\nq1,y,x,A\nq1,x,y,B\nq1,x,y,A\n");
    assert_eq!((repeats.counts.numbered, repeats.counts.kept), (2, 4));
    let names: Vec<&str> = (0..4).map(|row| told(&repeats, row)[5]).collect();
    assert_eq!(names, ["1", "1", "2", "3"]);
}

/// Twelve pairs in both orders that a consistent judge decides by system.
fn both_orders(say: impl Fn(usize, bool) -> &'static str, header: &str) -> String {
    let rows = (0..12).flat_map(|pair| {
        [false, true].map(|turned| {
            let (first, second) = if turned { ("two", "one") } else { ("one", "two") };
            format!("q{pair},{first},{second},{}\n", say(pair, turned))
        })
    });
    format!("{header}\n{}", rows.collect::<String>())
}

#[test]
fn a_misread_is_a_mistake_and_says_what_to_declare() {
    // The judge's "A" is the first system of the pair, not the first slot.
    let text = both_orders(|pair, _| if pair < 7 { "A" } else { "B" }, "pair,first,second,verdict");
    let mistake = wrong(&text);
    assert!(
        mistake.rule.contains("0 of 12 decisive pairs agree")
            && mistake.rule.contains("12 of 12 do"),
        "{mistake}"
    );
    assert!(mistake.remedy.contains("--coded system"));
    let declared = with(&text, &Options { coded: Some(Coding::System), ..Options::default() });
    assert_eq!(
        (declared.coded.unwrap().known, says(&declared)[..2].to_vec()),
        (Known::Declared, vec![First, Second])
    );
    // Declared against what the pairs say.
    let slots = both_orders(
        |pair, turned| if (pair < 7) == turned { "B" } else { "A" },
        "pair,first,second,verdict",
    );
    assert_eq!(ok(&slots).coded.unwrap().coding, Coding::Slot);
    let options = Options { coded: Some(Coding::System), ..Options::default() };
    let mistake = read("x.csv", slots.as_bytes(), &options).unwrap_err();
    assert!(mistake.remedy.contains("--coded slot"), "{mistake}");
    // A judge that always picks the first slot is no misread.
    let locked = ok(&both_orders(|_, _| "A", "pair,first,second,verdict"));
    assert_eq!(says(&locked), [First; 24]);
    assert!(
        locked.notes.iter().any(|it| it.contains("nearly always picks one slot")),
        "{:?}",
        locked.notes
    );
}

#[test]
fn declared_coding_must_know_the_values() {
    let names = both_orders(|_, _| "one", "pair,first,second,winner");
    let by = |text: &str, coding| {
        read("x.csv", text.as_bytes(), &Options { coded: Some(coding), ..Options::default() })
            .unwrap_err()
    };
    assert!(by(&names, Coding::Slot).rule.contains("24 of them name systems"));
    let slots = both_orders(|_, _| "left", "pair,first,second,winner");
    assert!(by(&slots, Coding::System).rule.contains("24 of them name slots"));
}

/// Systems that are called A and B: "A" may be either.
#[test]
fn letters_for_names_are_settled_by_column_or_by_the_pairs() {
    let text = |column: &str, say: fn(usize, bool) -> &'static str| {
        both_orders(say, &format!("pair,first,second,{column}"))
            .replace("one", "A")
            .replace("two", "B")
    };
    let system = |pair, _| if pair < 5 { "A" } else { "B" };
    let slot = |pair, turned| if (pair < 5) == turned { "B" } else { "A" };
    for (column, say, coding, known) in [
        ("winner", system as fn(usize, bool) -> &'static str, Coding::System, Known::Column),
        ("verdict", slot, Coding::Slot, Known::Column),
        ("preference", system, Coding::System, Known::Consistency),
        ("preference", slot, Coding::Slot, Known::Consistency),
    ] {
        let it = ok(&text(column, say));
        assert_eq!(
            (it.coded.unwrap().coding, it.coded.unwrap().known),
            (coding, known),
            "{column}"
        );
        assert_eq!(says(&it)[..2], [First, Second]);
    }
    assert!(wrong(text("verdict", system)).rule.contains("misread"));
    let noise =
        text("preference", |pair, turned| if (pair % 2 == 0) && turned { "A" } else { "B" });
    assert!(wrong(noise).remedy.contains("declare --coded slot or --coded system"));
}

#[test]
fn an_order_column_places_systems_and_lengths() {
    let text = "id,order,model_a,model_b,winner,len_a,len_b\n1,0,gpt,claude,model_a,5,9\n1,1,gpt,claude,model_a,5,9\n2,0,gpt,claude,tie,5,9\n";
    let it = ok(text);
    assert_eq!(it.coded.unwrap().coding, Coding::System);
    assert_eq!((says(&it), told(&it, 1)[1]), (vec![First, Second, Tie], "claude"));
    assert_eq!((pairs(&it).ballots[1].length_first, pairs(&it).ballots[1].length_second), (9, 5));
    let swapped = "id,swapped,verdict\n1,false,A\n1,true,B\n2,maybe,A\n";
    let it = ok(swapped);
    assert_eq!((says(&it), told(&it, 1)[1], it.counts.bad), (vec![First, Second], "B", 1));
    // Only the first system is named, and two are in the file.
    let first = "pair_id,order,first,winner,gold,len_1,len_2\n0,0,x1,x1,x2,3,4\n0,1,x2,x1,x2,3,4\n";
    let it = ok(first);
    assert_eq!((says(&it), golds(&it)), (vec![First, Second], vec![Second, First]));
    assert_eq!(pairs(&it).ballots[1].length_first, 4);
    assert!(
        wrong("pair,first,winner\n1,a1,a1\n2,b1,b1\n3,c1,c1\n").remedy.contains("--map second")
    );
}

#[test]
fn columns_are_mapped() {
    let text = r#"{"meta":{"id":"q9"},"x":"gpt","y":"claude","res":[{"w":"gpt"},{"w":"tie"}],"model":"haiku"}"#;
    let map = Options::parse_map("pair=meta.id, first=x,second=y,winner=res.0.w").unwrap();
    let it = with(text, &Options { map, ..Options::default() });
    assert_eq!((says(&it), told(&it, 0)), (vec![First], ["q9", "gpt", "claude", "haiku", "", ""]));
    let map = Options::parse_map("pair=meta.id,first=x,second=y,winner=res.1.w,judge=x").unwrap();
    let it = with(text, &Options { map, ..Options::default() });
    assert_eq!((says(&it), told(&it, 0)[3]), (vec![Tie], "gpt"));
    let map = Options::parse_map("pair=nowhere").unwrap();
    let mistake =
        read("x.jsonl", text.as_bytes(), &Options { map, ..Options::default() }).unwrap_err();
    assert!(
        mistake.rule.contains("no column is called nowhere") && mistake.rule.contains("meta.id"),
        "{mistake}"
    );
    for (wrong, says) in [
        ("pair", "no role=column"),
        ("colour=x", "no role of a column"),
        ("pair=a,item=b", "two columns"),
    ] {
        assert!(Options::parse_map(wrong).unwrap_err().contains(says), "{wrong}");
    }
    assert_eq!(Options::parse_map("winner=a").unwrap(), [(Role::Verdict, "a".to_owned())]);
    assert!(wrong("colour,shape\nred,round\n").remedy.contains("--map"));
}

#[test]
fn llmbar_results() {
    let text = r#"[{"input":"i","output_1":"ab","output_2":"abcd","label":2,"results":[{"swap = False":{"completion":["Output (b)","stop"],
        "winner":"2"},"swap = True":{"completion":["?"],"winner":null}}]},
        {"input":"j","output_1":"é","output_2":"","label":1,"results":[{"swap = False":{"winner":"1"},"swap = True":{"winner":"2"}}]}]"#;
    let it = read("dir/judge.result.json", text.as_bytes(), &Options::default()).unwrap();
    assert_eq!((it.format, says(&it)), (Format::LlmBar, vec![Second, Invalid, First, First]));
    assert_eq!(golds(&it), [Second, First, First, Second]);
    assert_eq!(told(&it, 1), ["0", "output_2", "output_1", "judge", "", ""]);
    assert_eq!((pairs(&it).ballots[1].length_first, pairs(&it).ballots[2].length_first), (4, 1));
    assert_eq!((it.counts.records, it.counts.both_orders, it.counts.zero_lengths), (2, 2, 2));
}

#[test]
fn fastchat_games() {
    let text = r#"{"question_id":81,"model_1":"m","model_2":"n","g1_winner":"model_1","g2_winner":"model_1","judge":["gpt-4","pair-v2"],"turn":1,"g1_judgment":"long [[A]]"}
{"question_id":81,"model_1":"m","model_2":"n","g1_winner":"tie","g2_winner":"error","judge":["gpt-4","pair-v2"],"turn":2}
"#;
    let it = ok(text);
    assert_eq!((it.format, says(&it)), (Format::FastChat, vec![First, Second, Tie, Invalid]));
    assert_eq!(told(&it, 1), ["81/1", "n", "m", "gpt-4/pair-v2", "", ""]);
    assert_eq!((it.counts.both_orders, it.counts.invalid, it.counts.missing), (2, 1, 0));
}

#[test]
fn judgebench_decisions() {
    let text = r#"{"pair_id":"p","source":"math","response_A":"abc","response_B":"de","label":"A>B","judge_name":"j","judgments":[{"decision":"A>B"},{"decision":"B>A"}]}
{"pair_id":"r","source":"math","response_A":"abc","response_B":"de","label":"B>A","judge_name":"j","judgments":[{"decision":"A=B"},{"decision":null}]}
"#;
    let it = ok(text);
    assert_eq!((it.format, it.coded.unwrap().coding), (Format::JudgeBench, Coding::Slot));
    assert_eq!(
        (says(&it), golds(&it)),
        (vec![First, Second, Tie, Invalid], vec![First, Second, Second, First])
    );
    assert_eq!(told(&it, 1), ["p", "response_B", "response_A", "j", "math", ""]);
    assert_eq!(pairs(&it).ballots[1].length_first, 2);
}

#[test]
fn texts_of_the_position_bias_analyzer() {
    let text = "\"cmp_index\"\t\"answer1_1\"\t\"answer1_2\"\t\"answer2_1\"\t\"answer2_2\"\t\"task\"\t\"gpt-x\"\n\
                \"9;m;n\"\t\"ab\"\t\"c\"\t\"d\"\t\"e\"\t\"math\"\t\"So,\nfinally: [[A]]\"\n\
                \"9;n;m\"\t\"d\"\t\"e\"\t\"ab\"\t\"c\"\t\"math\"\t\"[[C]] or rather [[B]]\"\n\
                \"8;m;n\"\t\"ab\"\t\"c\"\t\"d\"\t\"e\"\t\"math\"\t\"Assistant A is better.\"\n\
                \"8\"\t\"ab\"\t\"c\"\t\"d\"\t\"e\"\t\"math\"\t\"[[A]]\"\n";
    let it = ok(text);
    assert_eq!((it.format, says(&it)), (Format::PositionBias, vec![First, Second, Invalid]));
    assert_eq!((it.counts.conflicting, it.counts.bad, it.counts.first_bad[0].line), (1, 1, 6));
    assert_eq!(told(&it, 1), ["9", "n", "m", "gpt-x", "math", ""]);
    assert_eq!(pairs(&it).ballots[0].length_first, 3);
    let strict = with(text, &Options { mode: Mode::Strict, ..Options::default() });
    assert_eq!(says(&strict), [First, Invalid, Invalid]);
    let permissive = with(text, &Options { mode: Mode::Permissive, ..Options::default() });
    assert_eq!(says(&permissive)[2], First);
}

#[test]
fn alpaca_preferences() {
    let text = r#"[{"instruction":"do","output_1":"a","output_2":"bc","generator_1":"base","generator_2":"new","annotator":"gpt","preference":1.46},
        {"instruction":"do that","output_1":"a","output_2":"bc","generator_1":"base","generator_2":"new","annotator":"gpt","preference":2.0},
        {"instruction":"x","output_1":"a","output_2":"bc","generator_1":"base","generator_2":"new","annotator":"gpt","preference":1.5},
        {"instruction":"y","output_1":"a","output_2":"bc","generator_1":"base","generator_2":"new","annotator":"gpt","preference":null},
        {"instruction":"z","output_1":"a","output_2":"bc","generator_1":"base","generator_2":"new","annotator":"gpt","preference":3}]"#;
    let it = ok(text);
    assert_eq!((it.format, says(&it)), (Format::AlpacaEval, vec![First, Second, Tie, Invalid]));
    assert_eq!((it.counts.bad, it.counts.first_bad[0].value.as_str()), (1, "3"));
    assert_eq!((it.notes.len(), told(&it, 0)[0].len()), (1, 16));
    assert_ne!(told(&it, 0)[0], told(&it, 1)[0]);
}

#[test]
fn pandalm_labels_have_a_judge_a_column() {
    let text = "idx,cmp_key,annotator1,annotator2,gpt35,len_1,len_2\n0,llama_opt,2,1,garbage,4,0\n1,llama_opt,0,1,Tie,4,5\n2,llama_opt,1,1,2,4,5\n";
    let it = ok(text);
    assert_eq!(
        (it.format, says(&it)),
        (Format::PandaLm, vec![Second, First, Invalid, Tie, First, Tie, First, First, Second])
    );
    assert_eq!(told(&it, 2)[..4], ["0", "llama", "opt", "gpt35"]);
    let by_gold = with(
        text,
        &Options {
            gold: Some("annotator1".to_owned()),
            judges: vec!["gpt35".to_owned()],
            ..Options::default()
        },
    );
    assert_eq!(
        (says(&by_gold), golds(&by_gold)),
        (vec![Invalid, Tie, Second], vec![Second, Tie, First])
    );
    let json =
        r#"[{"idx":0,"cmp_key":"a_b","gpt_result":2},{"idx":1,"cmp_key":"a_b","gpt_result":1}]"#;
    assert_eq!(says(&ok(json)), [Second, First]);
}

#[test]
fn battles_with_people_and_a_judge() {
    let text = r#"[{"question_id":1,"model_a":"m","model_b":"n","human_winner":"model_b","judge_pick":"B"},
        {"question_id":2,"model_a":"m","model_b":"n","human_winner":"model_a","judge_pick":null},
        {"question_id":3,"model_a":"n","model_b":"m","human_winner":"tie (bothbad)","judge_pick":"A"}]"#;
    let it = ok(text);
    assert_eq!(
        (it.format, says(&it), golds(&it)),
        (Format::Arena, vec![Second, Invalid, First], vec![Second, First, Tie])
    );
    let plain = ok("id,model_a,model_b,winner,judge\n1,m,n,model_a,human\n2,m,n,tie,human\n");
    assert_eq!((plain.format, says(&plain)), (Format::Plain, vec![First, Tie]));
}

#[test]
fn wide_tables_name_judges_by_column() {
    let it = ok("item,first,second,haiku,opus\n1,m,n,A,B\n2,m,n,tie,A\n");
    assert_eq!((it.format, says(&it)), (Format::Wide, vec![First, Second, Tie, First]));
    assert_eq!(told(&it, 1)[3], "opus");
}

#[test]
fn zero_and_one_are_first_and_second_where_nothing_else_stands() {
    let it = ok("id,model_a,model_b,preference\n1,m,n,0\n2,m,n,1\n3,m,n,\n");
    assert_eq!((says(&it), it.notes.len()), (vec![First, Second, Invalid], 1));
    assert_eq!(
        says(&ok("id,model_a,model_b,preference\n1,m,n,0\n2,m,n,1\n3,m,n,2\n")),
        [Tie, First, Second]
    );
}

#[test]
fn grades_of_single_answers() {
    let it = ok("item_id,model_id,score,epoch\nq1,nano,1.0,1\nq1,nano,0.0,2\nq1,mini,1,1\n");
    let all = grades(&it);
    assert!(all.binary && it.format == Format::Graded);
    assert_eq!(all.grades.iter().map(|it| it.score).collect::<Vec<_>>(), [1.0, 0.0, 1.0]);
    assert_eq!(
        (all.systems.name(all.grades[2].system), all.repeats.name(all.grades[1].repeat)),
        ("mini", "2")
    );
    let it = ok(
        "id,verdict,label,judge,category\n1,pass,1,j,a\n2,FAIL,0,j,a\n3,,1,j,b\n4,maybe,1,j,b\n",
    );
    let all = grades(&it);
    assert!(all.binary && all.grades[2].score.is_nan());
    assert_eq!(
        (it.counts.bad, it.counts.invalid, it.counts.missing, all.items.name(0)),
        (1, 1, 1, "a/1")
    );
    let it = ok(
        "{\"id\":1,\"model\":\"m\",\"judge\":[\"gpt-4\",\"single\"],\"score\":8,\"human_score\":7.5,\"answer\":\"abc\"}\n",
    );
    let all = grades(&it);
    assert!(!all.binary);
    assert_eq!((all.grades[0].score, all.grades[0].label, all.grades[0].length), (8.0, 7.5, 3));
    assert_eq!(all.judges.name(0), "gpt-4/single");
    let wide = ok("id,human,gpt,claude\n1,4,5,3\n2,1,2,2.5\n");
    assert_eq!(
        grades(&wide).grades.iter().map(|it| it.score).collect::<Vec<_>>(),
        [5.0, 3.0, 2.0, 2.5]
    );
    let again = ok("id,model,score\n1,m,3\n1,m,3\n1,n,4\n");
    assert_eq!((again.counts.duplicates, again.counts.kept), (1, 2));
    let repeats = ok("id,model,score\n1,m,3\n1,m,2\n1,n,4\n");
    assert_eq!(
        (repeats.counts.numbered, grades(&repeats).repeats.name(grades(&repeats).grades[1].repeat)),
        (1, "2")
    );
}

#[test]
fn judges_are_chosen_by_name() {
    let text = "pair,first,second,verdict,judge\n1,m,n,A,x\n1,m,n,B,y\n";
    let it = with(text, &Options { judges: vec!["y".to_owned()], ..Options::default() });
    assert_eq!((says(&it), it.counts.other_judges, pairs(&it).judges.len()), (vec![Second], 1, 1));
    let none = Options { judges: vec!["z".to_owned()], ..Options::default() };
    assert!(read("x.csv", text.as_bytes(), &none).unwrap_err().rule.contains("no verdict is by z"));
}

#[test]
fn files_are_merged() {
    let of = |name: &str, text: &str| read(name, text.as_bytes(), &Options::default()).unwrap();
    let header = "pair,first,second,verdict\n";
    let mut first = of("a.csv", &format!("{header}1,m,n,A\n2,n,m,B\n"));
    let more = of("b.csv", &format!("{header}2,n,m,A\n1,m,n,B\n"));
    first.read.merge(more.read, "b", &mut first.counts).unwrap();
    assert_eq!(
        (says(&first), told(&first, 2)),
        (vec![First, Second, First, Second], ["2", "n", "m", "b", "", ""])
    );
    assert_eq!((told(&first, 0)[3], first.counts.numbered), ("a", 0));
    // The same judge by its column: another file that says something else is another repeat, a copy is left out.
    let header = "pair,first,second,verdict,judge\n";
    let of_judge = |verdict: &str| of("x.csv", &format!("{header}1,m,n,A,j\n2,m,n,{verdict},j\n"));
    let mut it = of_judge("A");
    let Contents { read: own, counts, .. } = &mut it;
    own.merge(of_judge("A").read, "again", counts).unwrap();
    assert_eq!((it.counts.duplicates, pairs(&it).ballots.len()), (2, 2));
    let Contents { read: own, counts, .. } = &mut it;
    own.merge(of_judge("B").read, "rep2", counts).unwrap();
    assert_eq!((it.counts.numbered, told(&it, 3)[5], told(&it, 0)[5]), (2, "rep2", ""));
    let scores = ok("id,model,score\n1,m,3\n");
    assert!(it.read.merge(scores.read, "s", &mut Counts::default()).is_err());
}

/// A quote that is never closed takes in no more than a record may hold.
#[test]
fn a_record_without_an_end_is_a_mistake() {
    let start = "pair,first,second,verdict\nq1,a,b,A\nq2,\"a,b,B\n".as_bytes();
    let endless = std::io::Read::chain(start, std::io::repeat(b'x'));
    let mistake = read("x.csv", endless, &Options::default()).unwrap_err();
    assert!(mistake.line == Some(3) && mistake.remedy.contains("quote"), "{mistake}");
    let endless = std::io::Read::chain("[{\"pair\":\"".as_bytes(), std::io::repeat(b'x'));
    assert!(
        read("x.json", endless, &Options::default()).unwrap_err().rule.contains("does not end")
    );
}
