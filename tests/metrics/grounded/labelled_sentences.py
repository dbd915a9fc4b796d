"""Answers as models write them, with ‖ between their sentences, set by hand.

Items of lists, rows of tables and blocks of code are units of their own, as sentences are; so is each
sentence within quotes, as in UAX 29. What stands in ‹ › belongs to none.
"""

from __future__ import annotations

import re

from passer.domain.texts.words import is_unspaced

LABELLED: dict[str, tuple[str, ...]] = {
    "en": (
        "Prof. Smith and Dr. Jones agree.‖Wheat is sown in October.",
        "See Fig. 2.‖It shows the yield of 3.5 t/ha.",
        "The U.S. yield fell in 2019.‖It rose in the U.S.‖Farmers were glad.",
        "Use a legume, e.g. clover, i.e. a plant that fixes nitrogen.‖Others (wheat, rye, etc.) follow.",
        "Version 2.1.3 was released on 12.05.2021.‖It costs $1.5 million.",
        "J. R. R. Tolkien grew no wheat.‖Neither did C. S. Lewis.",
        "Wait... is it dry?‖Then water it!‖How much?‖10 mm.",
        "The soil... well, it was dry.‖So it was watered.",
        'She asked, "When is it sown?"‖It is sown in October.',
        "He said \u201cSow it.\u201d‖Then he left.",
        "Wheat grows in autumn.‖(Rice does not.)‖Maize may.",
        "Wheat grows in autumn [1].‖Rice floats.[2]‖Bees fly. [3][4]‖Clover rests.",
        "Apply 5 kg per ha. [1, 2]‖The limit is set in Art. 5 of the regulation.",
        "Smith et al. (2019) found this.‖Jones et al. disagreed.",
        "It is sown at approx. 5 cm, cf. Sec. 3.2 and Eq. 4.‖Nothing else matters.",
        "‹1. ›Sow the wheat.\n‖‹2. ›Water it.\n‖‹3. ›Harvest it in July",
        "The steps are:\n‖‹1) ›sow the wheat\n‖‹2) ›water it",
        "First: 1. Sow the wheat.‖2. Water it.",
        "‹- ›Sow the wheat\n‖‹- ›Water it daily.‖Do not flood it.",
        "‹* ›**Yield**: 3.5 t/ha vs. 2.1 t/ha\n‖‹* ›**Cost.**‖It is low.",
        "‹## 2. Results›\n\nThe yield was high.",
        "‹# Sowing›\nWheat is sown in October.\n\n‹---›\n\n‖Rice is not.",
        "| Crop | Yield |\n‹|---|---|›\n‖| Wheat | 3.5 t |\n‖| Rice (cf. No. 3) | 4 t |",
        "Run this:\n‖‹```python›\nx = soil.ph\nprint(x)\n‹```›\n‖It prints the pH.",
        "Use `soil.ph` and see https://example.org/a.html?x=1.‖Then stop.",
        "Mr. and Mrs. Brown vs. Green Farms Inc. was decided in Jan. 2019.‖They lost.",
        "The field lies at St. Mary's, near Mt. Olive.‖It is small.",
        "The meeting is at 9 a.m. on Monday.‖Bring seed.",
        "Sow it at 10 p.m.‖Harvest it later.",
        "The treatment of the soil with lime raises\nits pH within two years.‖Gypsum does not.",
        "E. coli and S. aureus live in No. 5 soil.‖They die in winter.",
        "The price is 5.‖The weight is 7.",
        "Yes.‖No.‖Maybe!",
        "As the law says: \"Sow it.‖Water it.\"‖That is all.",
        "Is it sown in May?‖No.‖It is sown in October.",
        "The animals fell ill.‖Give them 5 lt.‖It was sold by Green Ltd.‖All is ok.‖Rest.",
    ),
    "bg": (
        "Съгласно чл. 5, ал. 2, т. 3 от закона субсидията е 200 лв. за декар.‖Проф. Иванов е съгласен.",
        "Вж. фиг. 2.‖Там добивът е 3,5 т на хектар.",
        "Това е решено на 12.05.2021 г. в София.‖Посевът е 5 дка.",
        "Наредба № 5 от 2019 г. на министъра влезе в сила.‖Тя важи и днес.",
        "Внасят се торове, напр. компост, оборски тор и др.‖Други не се внасят.",
        "Д-р Петров и инж. Колев живеят на ул. „Роза“ № 3, гр. Пловдив.‖Те са агрономи.",
        "‹1. ›Засейте пшеницата.\n‖‹2. ›Полейте я.\n‖‹3. ›Жънете през юли",
        "Кога се сее?‖През октомври!‖Полива се... и се жъне.",
        "Той каза: „Засейте я.“‖После си тръгна.",
        "Съгласно § 4, буква б) и т. нар. преходен период, т.е. три години.‖Край.",
        "Цената е около 3 хил. лв., или 1,5 млн. евро годишно.‖Тя расте.",
        "И. Вазов и П. П. Славейков не са сеели.‖Ние сеем.",
        "Сейте на 5 см.‖Внесете 100 гр.‖Помогнете им.‖Внесете и азот, фосфор и т.н.‖После ги полейте.",
        "Пшеницата се сее през октомври [1].‖Пчелите летят. [2]‖Оризът плава.",
    ),
    "de": (
        "Nach Art. 5 Abs. 2 Nr. 3 gilt dies.‖Am 3. Mai 2021 wurde gesät.",
        "Das sind z. B. 5 kg bzw. mehr.‖Prof. Dr. Müller stimmt zu.",
        "Siehe Abb. 3 und Tab. 2.‖Dort stehen u. a. die Erträge.",
        "Der 2. Schnitt folgt im Juni.‖Der Ertrag beträgt ca. 3,5 t.",
        "Er fragte: \u201eWann wird gesät?\u201c‖Im Oktober.",
        "Im 19. Jahrhundert war es anders.‖Heute sät man früher, d. h. im September.",
    ),
    "fr": (
        "M. Dupont et Mme Durand sèment du blé.‖C'est l'art. 5 de la loi.",
        "Semez des légumineuses, p. ex. du trèfle.‖Voir fig. 2.",
        "Quand semer ?‖En octobre !‖Le rendement est de 3,5 t.",
        "Il a dit : « Semez-le. »‖Puis il est parti.",
        "Le Dr Martin cite J.-J. Rousseau, vol. 3, p. 12.‖Il a raison.",
    ),
    "es": (
        "El Dr. López y la Sra. Ruiz siembran trigo.‖Véase la fig. 2.",
        "¿Cuándo se siembra?‖¡En octubre!‖El rendimiento es de 3,5 t.",
        "Según el art. 5, núm. 3, se pagan 200 euros.‖Los EE. UU. no pagan.",
        "‹1. ›Siembre el trigo.\n‖‹2. ›Riéguelo.",
    ),
    "it": (
        "Il Dott. Rossi e il Sig. Bianchi seminano grano.‖Vedi fig. 2.",
        "Secondo l'art. 5, comma 2, è vietato.‖Quando si semina?‖In ottobre.",
        "Usare concimi, ad es. letame, ecc.‖Non altro.",
    ),
    "pt": (
        "O Dr. Silva e a Sra. Costa semeiam trigo.‖Ver fig. 2.",
        "Segundo o art. 5, n.º 3, são pagos 200 euros.‖Quando se semeia?‖Em outubro.",
    ),
    "nl": (
        "Volgens art. 5, lid 2, is dit verboden.‖Prof. de Vries is het eens.",
        "Gebruik bijv. klaver, d.w.z. een vlinderbloemige.‖Zie fig. 2.",
    ),
    "pl": (
        "Zgodnie z art. 5 ust. 2 pkt 3 dopłata wynosi 200 zł.‖Prof. Nowak jest za.",
        "Stosuje się np. obornik, tzn. nawóz naturalny, itp.‖Zob. rys. 2.",
        "W 2019 r. zebrano 3,5 t.‖Dnia 3. maja siano.",
    ),
    "cs": (
        "Podle čl. 5 odst. 2 se platí 200 Kč.‖Prof. Novák souhlasí.",
        "Dne 3. května se selo.‖Používá se např. hnůj, tj. přírodní hnojivo.",
    ),
    "ro": ("Conform art. 5 alin. 2 lit. b, se plătesc 200 lei.‖Dr. Popescu este de acord.",),
    "fi": ("Lain 5. pykälän mukaan maksetaan 200 euroa.‖Esim. apila sitoo typpeä.‖Sato on n. 3,5 t.",),
    "ru": (
        "Согласно ст. 5, п. 2 и т. д., выплата составляет 200 руб. за гектар.‖Проф. Иванов согласен.",
        "См. рис. 2.‖В 2019 г. собрали 3,5 т зерна.",
        "А. С. Пушкин не сеял.‖Когда сеют?‖В октябре!",
        "Вносят удобрения, т. е. навоз, напр. осенью.‖Других нет.",
        "Он сказал: «Сейте её.»‖Потом ушёл.",
    ),
    "uk": (
        "Згідно зі ст. 5, п. 2 виплата становить 200 грн. за гектар.‖Проф. Коваль згоден.",
        "Див. рис. 2.‖У 2019 р. зібрали 3,5 т.",
    ),
    "tr": (
        "Prof. Dr. Yılmaz 3. maddeyi okudu.‖Buğday ekim ayında ekilir.",
        "Örn. yonca azot bağlar.‖Verim 3,5 tondur.‖Ne zaman ekilir?‖Ekimde.",
        "5. maddeye göre ödeme yapılır.‖Bkz. şekil 2.",
    ),
    "el": (
        "Πότε σπέρνεται το σιτάρι;‖Τον Οκτώβριο.",
        "Χρησιμοποιήστε π.χ. τριφύλλι, δηλ. ένα ψυχανθές.‖Βλ. εικ. 2.",
        "Σύμφωνα με το άρθρο 5 παρ. 2 του ν. 4235 πληρώνεται.‖Ο κ. Παπάς συμφωνεί.",
        "Σπέρνονται σιτάρι, ρύζι κ.λπ.‖Άλλα δεν σπέρνονται.",
        "Είπε: «Σπείρε το.»‖Μετά έφυγε.",
        "Πού φυτρώνει\u037e‖Στον κάμπο.",
    ),
    "zh": (
        "小麦在十月播种。‖水稻呢？‖六月！",
        "产量为3.5吨。‖见图2.1。‖成本很低。",
        "他问：\u201c什么时候播种？\u201d‖十月。",
        "他说：\u201c先播种。‖再浇水。\u201d‖然后走了。",
        "小麦在十月播种[1]。‖水稻在六月。[2]‖蜜蜂会飞。",
        "‹1. ›播种小麦\n‖‹2. ›浇水\n‖‹3. ›七月收获。",
        "步骤如下：\n‖‹（1）›播种；\n‖‹（2）›浇水。",
        "使用Dr. Smith的方法，pH为6.5。‖结束。",
        "小麦（冬季作物。）在十月播种。‖玉米在五月。",
        "土壤很干……所以要浇水。‖每天一次。",
    ),
    "ja": (
        "小麦は十月に播く。‖稲は？‖六月！",
        "「いつ播きますか。」と彼は聞いた。‖十月です。",
        "収量は3.5トンです。‖図2.1を参照。",
        "小麦は十月に播く[1]。‖稲は六月。[2]‖蜂は飛ぶ。",
        "小麦（冬の作物。）は十月に播く。‖以上です。",
        "‹・›小麦を播く\n‖‹・›水をやる",
        "‹１．›小麦を播く\n‖‹２．›水をやる",
        "彼は「播け。」と言った。‖そして去った。",
    ),
    "ko": (
        "밀은 10월에 파종합니다.‖벼는 언제 심습니까?‖6월입니다!",
        "수확량은 3.5톤입니다.‖그림 2.1을 보십시오.",
        "‹1. ›밀을 심습니다.\n‖‹2. ›물을 줍니다.",
        "그는 \u201c심어라.\u201d라고 말했다.‖그리고 떠났다.",
    ),
    "hi": (
        "गेहूँ अक्टूबर में बोया जाता है।‖धान जून में।‖कब काटें?‖जुलाई में!",
        "डॉ. शर्मा और प्रो. वर्मा सहमत हैं।‖उपज 3.5 टन है।",
        "‹1. ›गेहूँ बोएँ।\n‖‹2. ›पानी दें।",
        "उसने कहा, \u201cबो दो।\u201d‖फिर वह चला गया।",
    ),
    "bn": ("গম অক্টোবরে বোনা হয়।‖ধান জুনে।‖কখন কাটা হয়?‖জুলাইয়ে।", "ড. রহমান একমত।‖ফলন ৩.৫ টন।"),
    "ta": ("கோதுமை அக்டோபரில் விதைக்கப்படுகிறது.‖நெல் ஜூனில்.‖எப்போது?", "விளைச்சல் 3.5 டன்.‖செலவு குறைவு."),
    "mr": ("गहू ऑक्टोबरमध्ये पेरतात.‖भात जूनमध्ये.‖केव्हा?",),
    "ar": (
        "يزرع القمح في أكتوبر.‖متى يزرع الأرز؟‖في يونيو!",
        "قال د. أحمد إن الغلة 3.5 طن.‖هذا كثير.",
        "يزرع القمح في أكتوبر [1].‖النحل يطير. [2]‖الأرز يطفو.",
        "‹1. ›ازرع القمح.\n‖‹2. ›اسقه.",
        "وفقا للمادة ٥.٢ يدفع مئتان؛ ولا يدفع أكثر.‖انتهى.",
    ),
    "fa": ("گندم در مهر کاشته می\u200cشود.‖برنج کی؟‖در خرداد!", "عملکرد ۳٫۵ تن است.‖هزینه کم است."),
    "ur": ("گندم اکتوبر میں بوئی جاتی ہے۔‖چاول کب؟‖جون میں۔", "پیداوار 3.5 ٹن ہے۔‖ڈاکٹر احمد متفق ہیں۔"),
    "he": ("חיטה נזרעת באוקטובר.‖מתי נזרע אורז?‖ביוני!", "לפי סעיף 5.2 משולמים 200 ש\"ח.‖פרופ' כהן מסכים."),
    "th": (
        "ข้าวสาลีหว่านในเดือนตุลาคม\n‖ข้าวปลูกในเดือนมิถุนายน",
        "ศ.ดร. สมชาย ปลูกข้าวในปี พ.ศ. 2562\n‖ผลผลิต 3.5 ตัน",
        "‹1. ›หว่านข้าวสาลี\n‖‹2. ›รดน้ำ",
    ),
    "km": ("ស្រូវត្រូវបានដាំ។‖ទឹកត្រូវបានប្រើ។", "តើដាំពេលណា?‖ក្នុងខែមិថុនា។"),
    "lo": ("ເຂົ້າປູກໃນເດືອນມິຖຸນາ\n‖ຜົນຜະລິດ 3.5 ໂຕນ",),
    "my": ("စပါးစိုက်သည်။‖ရေသွင်းသည်။", "ဘယ်အချိန်စိုက်သလဲ။‖ဇွန်လတွင်။"),
    "hy": ("Ցորենը ցանում են հոկտեմբերին։‖Բրինձը՝ հունիսին։", "Բերքը 3.5 տոննա է։‖Ե՞րբ են քաղում։‖Հուլիսին։"),
    "am": ("ስንዴ በጥቅምት ይዘራል።‖ሩዝ በሰኔ ይዘራል።", "መቼ ይዘራል፧‖በጥቅምት።"),
    "ka": ("ხორბალი ოქტომბერში ითესება.‖როდის იმკება?‖ივლისში.",),
    "vi": (
        "Lúa mì được gieo vào tháng 10.‖Khi nào gặt?‖Tháng 7!",
        "TS. Nguyễn Văn A và PGS. Lê B đồng ý.‖Năng suất là 3,5 tấn.",
        "Theo Điều 5.2, mức trả là 200.000 đồng.‖Hết.",
    ),
    "tl": (
        "Ang trigo ay itinatanim sa Oktubre.‖Kailan ang palay?‖Sa Hunyo po.",
        "Si Dr. Reyes at G. Cruz ay sumasang-ayon.‖Tingnan ang Fig. 2.",
    ),
    "id": ("Gandum ditanam pada bulan Oktober.‖Kapan padi?‖Juni.", "Prof. Dr. Sari setuju, dll.‖Hasilnya 3,5 ton."),
}  # fmt: skip

LATER: dict[str, tuple[str, ...]] = {
    "en": (
        "Dr. A. Patel, Ph.D., leads the team.‖Her group found 4.2 mg/L of nitrate.",
        "Compare Tables 2 and 3 (see also Chap. 4).‖The figures differ.",
        "According to Sgt. Hill, the depot opens at 6 p.m. daily.‖It closes at noon.",
        "Costs rose by approx. 12% in Aug. 2021, i.e. before harvest.‖They fell later.",
        "I don't know.‖The passages do not say so [1][3].‖Please ask Dr. Lee.",
        "**Summary:** Lime helps.\n\n‖‹1. ›**Soil pH**: it rises to 6.5.\n   ‖‹- ›Gypsum does not help.",
        "Use Ca(OH)2 (approx. 2 t/ha).‖Don't use NaCl!",
        "It was built by Smith & Co. Ltd. in 1990.‖It closed in 2001.",
        "That is OK.‖I think it is art.‖I like it.‖See Art. II of the law.",
        "Is it safe?‖Yes, per 40 C.F.R. § 180.1.‖See www.epa.gov for details.",
        "Soils vary (sandy, clay, etc.).‖Each needs care.",
    ),
    "bg": (
        "По данни на НСИ за 2022 г. добивът е 5,1 т/ха, т.е. повече.‖Вж. табл. 4.",
        "Министърът (вж. ДВ, бр. 12 от 2020 г.) определя реда.‖Срокът е 30 дни.",
        "Доц. д-р М. Георгиева работи в с. Кнежа.‖Тя изследва царевица.",
        "Според гл. ас. Димов нормата е 18 кг/дка.‖Сее се рано.",
        "Не знам.‖В пасажите няма отговор.",
        "Сейте на дълбочина 5 см.‖След това полейте (см. табл. 2).‖Благодаря им.‖Край.",
        "‹- ›азот – 10 кг\n‖‹- ›фосфор – 8 кг\n‖‹- ›калий и др.",
    ),
    "de": (
        "Laut § 3 Abs. 1 S. 2 ist das zulässig.‖Die Frist endet am 15. März.",
        "Hr. Meier und Fr. Dr. Schulz kamen um 9 Uhr.‖Sie prüften ca. 20 Proben.",
        "Der Betrieb (vgl. Kap. 4) hat 12,5 ha.‖Er liegt bei St. Gallen.",
    ),
    "fr": (
        "L'arrêté du 1er janv. 2020 (art. L. 123-4) s'applique.‖Il est clair.",
        "Selon Mme le Pr. Blanc, il faut env. 3 t/ha.‖C'est peu.",
        "Pourquoi ?‖Parce que c'est sec...",
    ),
    "es": (
        "La Dra. Gómez (pág. 12) recomienda 3,5 kg/m².‖No más.",
        "Vive en la Av. Central núm. 8.‖¿De verdad?‖Sí.",
    ),
    "ru": (
        "По ГОСТ 12.1.005 (см. табл. 3) норма — 5 мг/м³.‖Её не превышают.",
        "В г. Москве на ул. Ленина, д. 5, живёт канд. наук И. И. Петров.‖Он агроном.",
        "Это около 2 млн. руб. в год.‖Дорого!",
    ),
    "zh": (
        "根据表3.2，氮肥用量为每公顷150公斤。‖为什么？‖因为土壤贫瘠！",
        "答案是：不知道。‖资料中没有提到[2]。",
    ),
    "ja": ("窒素は10a当たり8kgです。‖なぜですか？‖土が痩せているからです。",),
    "ko": ("질소는 1ha당 150kg입니다.‖왜 그런가요?‖땅이 척박하기 때문입니다.",),
    "hi": ("श्री राम के अनुसार दर 5.5% है।‖क्यों?‖मिट्टी खराब है।",),
    "ar": ("وفقا للجدول رقم 3، الكمية 5.5 كغ.‖لماذا؟‖لأن التربة فقيرة.",),
    "el": ("Ο Δρ. Νίκου (βλ. σελ. 4) διαφωνεί.‖Γιατί;‖Δεν ξέρω.",),
    "tr": ("Doç. Dr. Ayşe Kaya, s. 12'de bunu söylüyor.‖Neden?‖Bilmiyorum.",),
    "pl": ("Wg dr. Nowaka dawka wynosi ok. 3 kg/ha (zob. tab. 1).‖Dlaczego?‖Nie wiem.",),
    "it": ("Vedi l'all. 2 e il cap. 3.‖La dose è di 2,5 kg.",),
    "nl": ("Mevr. Jansen (zie blz. 3) gebruikt ca. 5 kg.‖Waarom?",),
}
"""Answers that were labelled after the rules were written, to measure them on texts that they were not made for."""

MISSED = frozenset(
    {
        # The stop of an abbreviation that also ends the sentence.
        "The U.S. yield fell in 2019.‖It rose in the U.S.‖Farmers were glad.",
        "לפי סעיף 5.2 משולמים 200 ש\"ח.‖פרופ' כהן מסכים.",
        # A word of one letter, which looks like an initial.
        "TS. Nguyễn Văn A và PGS. Lê B đồng ý.‖Năng suất là 3,5 tấn.",
        # A full stop within brackets.
        "小麦（冬季作物。）在十月播种。‖玉米在五月。",
        "小麦（冬の作物。）は十月に播く。‖以上です。",
    }
)
"""Answers of LABELLED of which the rules find other sentences."""


def text_of(labelled: str) -> str:
    """Return the text as a model writes it: with a space between sentences, except in scripts without spaces."""
    bare = re.sub("[‹›]", "", labelled)
    return re.sub(r"‖\s*(\S)", lambda found: found[1] if is_unspaced(found[1]) else f" {found[1]}", bare)


def sentences_of(labelled: str) -> list[str]:
    """Return the sentences without what belongs to none."""
    return re.sub("‹[^›]*›", "", labelled).split("‖")
