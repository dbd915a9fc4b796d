"""What a document contains and its text does not is said once for each document, in both languages."""

from __future__ import annotations

import base64
import io
import re
import zlib

import docx
import pypdf
import pytest
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part

from passer.adapters.documents.docx import DocxReader
from passer.adapters.documents.html import HtmlReader
from passer.adapters.documents.pdf import PdfReader
from passer.domain.retrieval.passages import Document
from passer.domain.wording.sentence import reading
from passer.errors import DocumentError
from tests.adapters.drawn_pdf import Drawn, drawn

_OF_REPORTLAB = (
    "c-qxgO>f&q5WVwP%*CkGROWv2BQOG3Qe+#k6C+aU0JaabxRM!2q(D-M-M`S@dhc)T+oh~9QtI?pRFJg0GqZ1I-f(Ama5)_H_@VR;{`}+jzv#"
    "VL6=i*%+|h~2O_|gtC0I~eOxH`3*VHLiCa;QhIW=966QknplXrCF`6EsO%lG7u1Svc7UcK^6o>~LZGVCXn85Mx?PtD@9sk3Q9{_A{Nq**>E|"
    "0>Im^D6r)c$+K@S$KcEzN;TsSWNKGn*kbNwOq-Ts{vF9x}vy=?82m3(k~w98f!*6)`ue00Y!=*Mo}EmE%}#8Y4ePl9q&z(Yeg<c8#Zq=mt`>"
    ">n;KBQCCHzc2c&eiOy;J)83&v3jBXJiz=|4#V!J;nliWdCxkpc_T*A1Oiux{V<H@+l=e_f6evj4AR8yEId2O{7!g<bma5fx2R<&84<+H+BzA"
    "IBxTAn*6ecrVR&$Fs7AE|SU7);l)zFIAeD?W2+46leY#v10W|1w+EMd{#<Z8SB7TEJPdIyKI3D8r{nYwC#*wHqyxc|}13(r;?g6Wab%10O}q"
    "*2C(XN1#b%T&J6CEN^FZvdE^#`F!DcJvWJaXt;_{?d0JqOY8ehv=>=bLDz`1m5f2eDaE{*{YpA&)nX?(|KlbXt)*jO`!Ir2YioD0_GX85g|s"
    "++f`uePMpEH$1R;Kc!Z@UmGZHc;87d@;#kHF%At_)QstD`ND3#j=vxr3C<^rgZ)54hm40qe4usBLl2p)n+kq#IIu|^?c%q3~gDTI9(OS@A7Q"
    "F1{+5Re9R6bC3_L}4gMTNsRia86X9;R1nciQqZKR;5CynUmY-rEE|!4Orl~wmB*uVlI&!Mq$@TEKm*=PP9!+p^HdH3b6_}wDD<YZt00ElXj|"
    "^bz&(AKmpW1RvH0l%Py$FXi;4}aIPaaT54{avv}KXIUn-uq~H567>nNNw%>@Ie#8Eu-{|l48_xch4JT;jVpSJK3ZoB|d0XTg>*^`c24Ilj02"
    "cEWM%cnQUf1_HJDnsi^2cSduFy^frAg|n$cHwv&hVwc;bffIGm6g(#(u*0$!>S^8}s<3DAS5MSRlF|fq=7gJvBi2da+sZ&a=BRL6hszP3uCt"
    ">2@7AsQV`~#a*|~tCg8%v&^Ibn`AY*41~3vI7ykTR=6SkQL?DoL`L5{6xe~g(SMVrwm(b9pLYMZ?Lt&7fVc&4Zt}V9Vmh)0XwD{Cx~rE_^FL"
    "h@^(XF*#37!{(Ebh;P0s1{#Cwu+CzprftNaN9CnLlWoh+#{SQMYZ)+~EKq4TURi@C{vp%tPd{*vl@LsgM2z#7p_m+p%NQu=}-l!slKe4@$E7"
    "MpAqn>aW5xC611kcfl-G$HY?6LLPqvpyx;I^8$zT-`7kehawWsGi&S@dj=Dd1@a@GxLDNJ+}Rz6KbhxMq60`e@>HcWt@pUnPBmrOz}NCE|uP"
    "sX|=bP2k6YZvM7x9WU-RFGQo8#=DJL>g(=<hb2cRJ`iM_?81Xoo-KDcc^E;vASf^2(DkR2~eD!0CTkoLt#ykK18*i^iX@=9e^X`i<>^oHG-g"
    "MDvi<*LFKF)qKwjA!+PRiO9NT@jS4h~+w8+m^Nm(KiR"
)
"""A PDF of reportlab 5.1: a line in Helvetica on each of two pages, and on the second 土 and 壤, each alone."""
LINE = (70.0, 700.0, 11.0, "Clover fixes nitrogen from the air, by means of bacteria in its roots.")


def said_of(document: Document) -> list[str]:
    return [str(each) for each in document.warnings]


def with_codes(lines: list[Drawn], codes: list[Drawn]) -> bytes:
    """A page of lines, with others in a font that does not say what its letters are."""
    [page], [other] = (
        pypdf.PdfReader(io.BytesIO(content)).pages for content in (drawn(lines), drawn(codes, has_codes_only=True))
    )
    writer, stream = pypdf.PdfWriter(), io.BytesIO()
    writer.add_page(page).merge_page(other)
    writer.write(stream)
    return stream.getvalue()


def test_east_asian_signs_that_pdfium_leaves_out() -> None:
    document = PdfReader().read(zlib.decompress(base64.b85decode(_OF_REPORTLAB)), "soil.pdf")
    assert "土" not in document.text
    assert said_of(document) == [
        "The passages lack East Asian characters of page 2 of soil.pdf, because the file does not contain their font. "
        "Export the PDF again with embedded fonts, and add it to a new collection."
    ]
    with reading("bg"):
        assert "липсват източноазиатски знаци от страница 2 от soil.pdf" in document.model_dump_json()


def test_spaces_alone_in_a_font_that_the_file_lacks_are_no_loss() -> None:
    content = drawn([LINE, (70.0, 650.0, 11.0, " "), (90.0, 650.0, 11.0, "x")]).replace(b"/Helvetica", b"/GaramondX")
    assert PdfReader().read(content, "a.pdf").warnings == ()


def test_pages_and_letters_of_fonts_that_do_not_say_what_they_show() -> None:
    codes = [(70.0, 600.0, 11.0, "WKLV LV FORYHU")]
    writer, stream = pypdf.PdfWriter(), io.BytesIO()
    for content in (drawn([LINE]), drawn(codes, has_codes_only=True)):
        writer.append(io.BytesIO(content))
    writer.write(stream)
    [said] = said_of(PdfReader().read(stream.getvalue(), "a.pdf"))
    assert said.startswith("The fonts on page 2 of a.pdf do not say which letters they show, so no passage")
    lines = [(70.0, 700.0 - 14 * row, 11.0, LINE[3]) for row in range(4)]
    [said] = said_of(PdfReader().read(with_codes(lines, codes), "a.pdf"))
    assert said.startswith("Some characters on page 1 of a.pdf have a font that does not say which letters")


def test_files_attached_to_a_pdf() -> None:
    writer, stream = pypdf.PdfWriter(io.BytesIO(drawn([LINE]))), io.BytesIO()
    for name in ("yields.csv", "method.txt"):
        writer.add_attachment(name, b"a,b")
    writer.write(stream)
    [said] = said_of(PdfReader().read(stream.getvalue(), "a.pdf"))
    assert said.startswith("a.pdf has 2 attached files, which were not imported.")
    assert PdfReader().read(drawn([LINE]), "a.pdf").warnings == ()


def test_charts_and_embedded_files_of_a_word_document() -> None:
    document, stream = docx.Document(), io.BytesIO()
    document.add_paragraph("The yields are in the chart.")
    for number, kind in enumerate((RELATIONSHIP_TYPE.CHART, RELATIONSHIP_TYPE.OLE_OBJECT)):
        part = Part(PackURI(f"/word/other/part{number}.xml"), "application/xml", b"<a/>", document.part.package)
        document.part.relate_to(part, kind)
    document.save(stream)
    [said] = said_of(DocxReader().read(stream.getvalue(), "a.docx"))
    assert said.startswith("a.docx has 2 charts, diagrams or embedded files, whose text was not imported.")


FRAMES = "<html><frameset cols='20%,80%'><frame src='a.html'><frame src='b.html'>{}</frameset></html>"
SHELL = "<html><body>{}<div id='root'></div><script src='main.js'></script></body></html>"


def test_frames_and_programs_of_a_page() -> None:
    def said(page: str) -> list[str]:
        return [
            re.split("[,:]", each.partition(".html ")[2])[0]
            for each in said_of(HtmlReader().read(page.encode(), "a.html"))
        ]

    assert said(FRAMES.format("<noframes><body><p>No frames.</p></body></noframes>")) == [
        "shows 2 other pages in frames"
    ]
    assert said(SHELL.format("<noscript>You need JavaScript.</noscript>")) == ["has almost no text"]
    text = "<p>Clover fixes nitrogen from the air.</p>"
    within = (
        f"<html><body><main>{text}<iframe src='b.html'></iframe></main><iframe src='ad.html'></iframe></body></html>"
    )
    assert said(within) == ["shows another page in a frame"]
    assert said(SHELL.format(f"<main>{text * 4}</main>")) == []
    # What it says takes a hundred letters in English.
    limits = "每公顷农田每年施用铜的总量不得超过四公斤，七年内的总量不得超过二十八公斤。"
    assert said(SHELL.format(f"<main><p>{limits}</p></main>")) == []
    assert said(SHELL.format("<div>加载中</div>")) == ["has almost no text"]


@pytest.mark.parametrize(
    "attributes",
    [
        "src='https://counter.example/ns.html' height='0' width='0' style='display: none; visibility: hidden'",
        "src='https://counter.example/pixel' width='1' height='1'",
        "src='https://counter.example/' hidden",
        "src='about:blank'",
        "src='https://www.youtube-nocookie.com/embed/x' width='560'",
        "src='https://www.google.co.uk/maps/embed?pb=x'",
    ],
)
def test_frames_that_show_nothing_are_no_loss(attributes: str) -> None:
    page = f"<html><body><main><p>Clover fixes nitrogen.</p><iframe {attributes}></iframe></main></body></html>"
    assert HtmlReader().read(page.encode(), "a.html").warnings == ()


@pytest.mark.parametrize(
    ("frame", "warnings"),
    [
        ("<iframe data-src='b.html' class='lazyload'></iframe>", 1),
        ("<iframe src='about:blank' data-src='b.html'></iframe>", 1),
        ("<object data='b.html' type='text/html'><embed src='b.html'></object>", 1),
        ("<embed src='act.pdf#page=2'>", 1),
        ("<object data='plan.svg' type='image/svg+xml'></object><embed src='film.mp4'>", 0),
    ],
)
def test_frames_that_load_later_and_objects_with_a_page_are_a_loss(frame: str, warnings: int) -> None:
    page = f"<html><body><main><p>Clover fixes nitrogen.</p>{frame}</main></body></html>"
    assert len(HtmlReader().read(page.encode(), "a.html").warnings) == warnings


@pytest.mark.parametrize(("page", "message"), [(FRAMES, "Save each of them"), (SHELL, "save the page as it is shown")])
def test_a_page_with_nothing_else_is_refused_by_what_it_lacks(page: str, message: str) -> None:
    with pytest.raises(DocumentError, match=message):
        HtmlReader().read(page.format("").encode(), "a.html")
