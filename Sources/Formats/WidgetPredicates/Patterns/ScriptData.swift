/// The scripts of Unicode 14.0.0.
/// Written by Tests/Oracles/unicode_tables.py, which also says how the numbers are packed.
enum ScriptData {
    /// Names, a colon, runs. A line that starts with a tilde continues the line before.
    static let scripts = #"""
        adlm adlam: PXj3\24:42
        aghb caucasianalbanian: `YQ2d1;1
        ahom: PhU2K2?4G
        arab arabic: P`15161>131P11:;J1\31R1`2`1`7O126Z21M`bl1c3@[;2`22f171P1@`351W4Sk3OQlg141K1211211:141111614111111
        ~312112111111111121124171414111:1A53151Ad12
        armi imperialaramaic: PRR2F19
        armn armenian: aY1V12b123S\m15
        avst avestan: PhR2f137
        bali balinese: Ph6]23_1
        bamu bamum: PeY1h2XX`1iA
        bass bassavah: `fj2N26
        batk batak: Pn6d184
        beng bengali: P\2418222F1711342922248142152I
        bhks bhaiksuki: PPW291]11>:M
        bopo bopomofo: ZG2i`;[1`3P1
        brah brahmi: PPT2^24T191
        brai braille: PP:P8
        bugi buginese: P`6L22
        buhd buhid: Pj5D
        cakm chakma: PXT2e11B
        cans canadianaboriginal: PP5PD`AV2j]P2@
        cari carian: PeP2a1
        cham: P`Z1g19>2:24
        cher cherokee: Pm4f226bkU1`2
        chrs chorasmian: `mS2L
        copt coptic qaac: RO>`T:d357
        cpmn cyprominoan: `l[2S3
        cprt cypriot: PPR26211\1123121
        cyrl cyrillic: PP1U42Y5`j59R51\21WS4P1PRNP3^lE2
        deva devanagari: PX2a24?2JPkW1P1
        diak divesakuru: PXV272128121N122<9:
        dogr dogra: PPV2l1
        dsrt deseret: PPQ2`2
        dupl duployan: PP_3[35=397:24
        egyp egyptianhieroglyphs: PP\2_Q119
        elba elbasan: PXQ2X1
        elym elymaic: PoS2G
        ethi ethiopic: P`4Y2142711142Y1142Q1142711142?1i1142S22P13JV_6G9717171717171717RYO626269717aU_2714121?
        geor georgian: PU4V111512[114`l2[123PR4V11151
        glag glagolitic: PP;P3Pm\371A271215
        gong gunjalagondi: P[W26121U112167:
        gonm masaramgondi: PXW27121\13112198:
        goth gothic: `iP2K
        gran grantha: PhT2418222F1712152922232161572735
        grek greek: `K4132411411113111D1o1>@VY65b1545d21P:F262V126281111111O2e11?1>261C2319W91naR11j^E_2A1oRd1V2
        gujr gujarati: Qd2319131F1712152:131321?42<77
        guru gurmukhi: Q`2316422F17121212211542233174117A
        hang hangul: PX4P8^a72Q8n2a3OQ2OQgMMSDTm:<G4a1Tm9O36262623
        hani han: Pd;J1i2<f6_1111I9>4TNP^6P2P`DPXF^;2Z3XXM2<2^PT1PgY1P1iQ47n62Rd5>aY7oP3n@R_1[j4
        hano hanunoo: Pi5E
        hatr hatran: PWR2C1255
        hebr hebrew: a\1g18K46XYm1J151112121:
        hira hiragana: QR<f263Qko2o8`13]U@1
        hluw anatolianhieroglyphs: PPa2WB
        hmng pahawhhmong: Phj2V2::171E5C
        hmnp nyiakengpuachuehmong: PXh3]13>2:42
        hung oldhungarian: PTS2c1=c176
        ital olditalic: PhP2T193
        java javanese: P\Z1^22:42
        kali kayahli: PXZ1^111
        kana katakana: QU<j223`7@`6_11h2^Pc1:1]1bR\14171211o83Q24
        khar kharoshthi: P`R241258131M234:79
        khmr khmer: Pl5n22:6:V?P1
        khoj khojki: P`T2B1\1
        kits khitansmallscript: Tok21kh6f>
        knda kannada: PT3=131G1:152913147262142:12
        kthi kaithi: PTT2S2:1
        lana taitham: Pa6o11M2;6:6>
        laoo lao: Qd3211151H111G2511162:24
        latn latin: Q2J6J_11?15G1O1Q>W15k`6V16a1545=1V2Q2P8a;1=1@=]4261K1AY1gf2P1ReNV33P2521115H>`I[11914flC7jP1J6JUQ2
        ~61Z119Uje1O
        lepc lepcha: PP7h13?33
        limb limbu: PX6O1<4<413<
        lina lineara: P`Q2g99F:8
        linb linearb: PPP2<1J1C121?2>R1k3
        lisu: `VY1`1`eN1
        lyci lycian: PdP2M
        lydi lydian: PYR2J51
        mahj mahajani: `ZT2W1
        maka makasar: PgW2I
        mand mandaic: PR2L21
        mani manichaean: PfR2W14<
        marc marchen: `SW2P12F1>
        medf medefaidrin: Pbk2k2
        mend mendekikakui: PPj3U62@
        merc meroiticcursive: P]R2H4D2^1
        mero meroitichieroglyphs: P\R2P1
        mlym malayalam: PX3=131c113164@2J
        modi: P`U2U2;:
        mong mongolian: PP62211D6i27[1e]o1=
        mroo mro: Pbj2O1:42
        mtei meeteimayek: PgZ1GY6^12:
        mult multani: PdT2711141?1;
        mymr myanmar: PP4P5PZV1OQ3P1
        nand nandinagari: P]V282^12;
        narb oldnortharabian: PdR2P1
        nbat nabataean: PTR2O89
        newa: PPU2l215
        nkoo nko: Pn1k123
        nshu nushu: Qok21^\@\<
        ogam ogham: Pd5M
        olck olchiki: `R7`1
        orkh oldturkic: PPS2Y2
        orya oriya: Qh2318222F1712152922237342152B
        osge osage: `UQ2T14T1
        osma osmanya: PTQ2N2:
        ougr olduyghur: `kS2J
        palm palmyrene: PSR2P1
        pauc paucinhau: PfV2i1
        perm oldpermic: `jP2[1
        phag phagspa: PRZ1h1
        phli inscriptionalpahlavi: PkR2C58
        phlp psalterpahlavi: PlR2B74<7
        phnx phoenician: PXR2L31
        plrd miao: Phk2[24i17A
        prti inscriptionalparthian: PjR2F28
        rjng rejang: `YZ1T1;1
        rohg hanifirohingya: PXS2X18:
        runr runic: Pe5[23;
        samr samaritan: PP2^12?
        sarb oldsoutharabian: PcR2P1
        saur saurashtra: PTZ1V28<
        sgnw signwriting: PPf3\D?51?
        shaw shavian: `RQ2`1
        shrd sharada: P\T2P3
        sidd siddham: P\U2f12V1
        sind khudawadi: `eT2k15:
        sinh sinhala: Q\331B3H191127314611186:23\oP2D
        sogd sogdian: `iS2Z1
        sogo oldsogdian: PhS2X1
        sora sorasompeng: `VT2I7:
        soyo soyombo: `bV2c2
        sund sundanese: Pl6P2P88
        sylo sylotinagri: PPZ1]1
        syrc syriac: Ph1>1l123`8;
        tagb tagbanwa: Pk5=1312
        takr takri: PdU2j16:
        tale taile: `Z6N25
        talu newtailue: P\6\14J6;32
        taml tamil: Rl2216331432111232333<4533142161>EUnT2b1=1
        tang tangut: Pok21Oho58PHP@9
        tavt taiviet: PdZ1S2H5
        telu telugu: PP3=131G1@291314721321242:79
        tfng tifinagh: `Y;h172>1
        tglg tagalog: Ph5F91
        thaa thaana: Pl1b1
        thai: Q`3j15L
        tibt tibetan: Ph3X21T14W11T11?1742
        tirh tirhuta: PTU2X28:
        tnsa tangsa: `cj2_21:
        toto: `dh3O
        ugar ugaritic: PlP2N11
        vaii vai: PXY1\9
        vith vithkuqi: `[Q2;1?17121;1?1712
        wara warangciti: PUV2c2<1
        wcho wancho: Pfh3j151
        xpeo oldpersian: PmP2T14>
        xsux cuneiform: PPX2jLV3_315;T6
        yezi yezidi: PdS2Z11322
        yiii yi: PPX1]T13g1
        zanb zanabazarsquare: P`V2X2
        zinh inherited qaai: PH`3e82T>;J1PG4kZ4OQ@31=17416132V6P2\@2R6Q1ii34[32U[c1@@>_N1R71jR41Tn^1^12GPA3A827N4bj[H`
        ~7
        zyyy common: 0Q2J6J_11?15G1O1Q>W1552Dd31916111mC161>131P11l41T@1Q42iV11e<4R91__13W22[6211]V11=174161321UH<2g21
        ~;3;1?AQ1o1V113261K1AY134gDI;EPMP8dC2P11Y3P@n2b<<45111I?844k2231j22c4@P1T1l1P2Oa2_11h2X5P^6P2PXFR1V33U5:d71P51[
        ~<1>2b^D2`6:FS11C14c411P1J6J;:1]12P2717:5R834]139`2=c1]1T7KT]^14\e4d3l1f7:W12n13A827N4m1e7D<g29IW4e21W212212224
        ~1<11171Q21428171L141511371d:2T92b1aS5T2\2m1RF\14T3<?2?1?1U1:^5h1J12=\14972>6j4hN5@3=3d3<i27<41?<4h18:6X18N22^2
        ~d:<>2535379M3;56::68879c41g1U1:WPQH1NP3
        """#
}
