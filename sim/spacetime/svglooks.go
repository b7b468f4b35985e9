package spacetime

// looks is the style of an SVG, by day and by night. All rules begin with the class of the picture,
// so that they leave alone the page that a picture stands in.
const looks = `
.spacetime{font:12px ui-sans-serif,system-ui,"Segoe UI","DejaVu Sans",sans-serif}
.spacetime text{fill:#1f2328}
.spacetime .ground{fill:#fff}
.spacetime .name{font-weight:600;font-size:14px}
.spacetime .halo{stroke:#fff;stroke-width:4px;stroke-linejoin:round;paint-order:stroke}
.spacetime .label{text-anchor:middle}
.spacetime .mail{font-size:11px;fill:#57606a}
.spacetime .note,.spacetime .caption{fill:#57606a}
.spacetime .time{fill:#8c959f;font-size:10px;text-anchor:middle}
.spacetime .line{stroke:#6e7781;stroke-width:1.5;fill:none}
.spacetime .idle{stroke-dasharray:2 4}
.spacetime .arrow{stroke:#57606a;stroke-width:1.25;fill:none}
.spacetime .log{stroke-dasharray:7 3}
.spacetime .stub{stroke-dasharray:3 3}
.spacetime .back{stroke:#cf222e;stroke-width:2.25}
.spacetime .tip path{fill:#57606a;stroke:none}
.spacetime .tip.back path{fill:#cf222e}
.spacetime .dot{fill:#1f2328;stroke:none}
.spacetime .ring{fill:#fff;stroke:#1f2328;stroke-width:1.5}
.spacetime .minor{fill:#6e7781;stroke:none}
.spacetime .request{fill:#8c959f;stroke:none}
.spacetime .bad{stroke:#cf222e;stroke-width:2.5;fill:none}
.spacetime .bar{stroke:#1f2328;stroke-width:2;fill:none}
.spacetime .witness{fill:none;stroke:#e36209;stroke-width:2}
.spacetime .apart{fill:#8c959f;fill-opacity:.13;stroke:none}
.spacetime .rule{stroke:#8c959f;stroke-dasharray:2 3;fill:none}
.spacetime .cut{stroke-width:2.5;fill:none;stroke-linejoin:round;stroke-linecap:round}
.spacetime .cutname{font-weight:600;text-anchor:middle}
.spacetime .side{stroke:none;fill-opacity:.06}
.spacetime .c0{stroke:#0969da}
.spacetime .c1{stroke:#8250df}
.spacetime .c2{stroke:#9a6700}
.spacetime .c3{stroke:#1a7f37}
.spacetime .f0,.spacetime text.f0{fill:#0969da}
.spacetime .f1,.spacetime text.f1{fill:#8250df}
.spacetime .f2,.spacetime text.f2{fill:#9a6700}
.spacetime .f3,.spacetime text.f3{fill:#1a7f37}
@media (prefers-color-scheme:dark){
.spacetime text{fill:#e6edf3}
.spacetime .ground{fill:#0d1117}
.spacetime .halo{stroke:#0d1117}
.spacetime .mail,.spacetime .note,.spacetime .caption{fill:#9198a1}
.spacetime .line,.spacetime .arrow{stroke:#9198a1}
.spacetime .back,.spacetime .bad{stroke:#ff7b72}
.spacetime .tip path{fill:#9198a1}
.spacetime .tip.back path{fill:#ff7b72}
.spacetime .dot{fill:#e6edf3}
.spacetime .ring{fill:#0d1117;stroke:#e6edf3}
.spacetime .bar{stroke:#e6edf3}
.spacetime .c0{stroke:#58a6ff}
.spacetime .c1{stroke:#bc8cff}
.spacetime .c2{stroke:#d29922}
.spacetime .c3{stroke:#3fb950}
.spacetime .f0,.spacetime text.f0{fill:#58a6ff}
.spacetime .f1,.spacetime text.f1{fill:#bc8cff}
.spacetime .f2,.spacetime text.f2{fill:#d29922}
.spacetime .f3,.spacetime text.f3{fill:#3fb950}
.spacetime .side{fill-opacity:.1}
}
`
