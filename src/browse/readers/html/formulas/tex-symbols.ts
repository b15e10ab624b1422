/** Each pair is a sign or MathML name, and its TeX command. */

const pairs = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(' ').map((pair) => [pair.slice(0, pair.indexOf(':')), pair.slice(pair.indexOf(':') + 1)]),
  );

const GREEK =
  'α:alpha β:beta γ:gamma δ:delta ϵ:epsilon ε:varepsilon ζ:zeta η:eta θ:theta ϑ:vartheta ι:iota κ:kappa λ:lambda μ:mu ν:nu ξ:xi ' +
  'π:pi ϖ:varpi ρ:rho ϱ:varrho σ:sigma ς:varsigma τ:tau υ:upsilon ϕ:phi φ:varphi χ:chi ψ:psi ω:omega Γ:Gamma Δ:Delta Θ:Theta ' +
  'Λ:Lambda Ξ:Xi Π:Pi Σ:Sigma Υ:Upsilon Φ:Phi Ψ:Psi Ω:Omega µ:mu';
const LARGE =
  '∑:sum ∏:prod ∐:coprod ∫:int ∬:iint ∭:iiint ∮:oint ⋃:bigcup ⋂:bigcap ⋁:bigvee ⋀:bigwedge ⨁:bigoplus ⨂:bigotimes ⨀:bigodot ' +
  '⨆:bigsqcup';
const SIGNS =
  '±:pm ∓:mp ×:times ÷:div ⋅:cdot ·:cdot ∗:ast ⋆:star ∘:circ ∙:bullet •:bullet ∩:cap ∪:cup ⊎:uplus ⊓:sqcap ⊔:sqcup ∨:vee ∧:wedge ' +
  '∖:setminus ≀:wr ⊕:oplus ⊖:ominus ⊗:otimes ⊘:oslash ⊙:odot †:dagger ‡:ddagger ⋄:diamond △:triangle ▽:triangledown ' +
  '≤:leq ≥:geq ⩽:leqslant ⩾:geqslant ≠:neq ≡:equiv ≈:approx ∼:sim ≃:simeq ≅:cong ≍:asymp ≐:doteq ∝:propto ⊨:models ⊢:vdash ⊣:dashv ' +
  '≪:ll ≫:gg ≺:prec ≻:succ ⪯:preceq ⪰:succeq ≲:lesssim ≳:gtrsim ⊂:subset ⊃:supset ⊆:subseteq ⊇:supseteq ⊊:subsetneq ⊄:nsubset ' +
  '⊏:sqsubset ⊐:sqsupset ⊑:sqsubseteq ⊒:sqsupseteq ∈:in ∋:ni ∉:notin ⊥:perp ∥:parallel ∦:nparallel ∣:mid ∤:nmid ≔:coloneqq ≜:triangleq ' +
  '←:leftarrow →:rightarrow ↔:leftrightarrow ⇐:Leftarrow ⇒:Rightarrow ⇔:Leftrightarrow ↦:mapsto ⟶:longrightarrow ⟵:longleftarrow ' +
  '⟹:implies ⟺:iff ⟸:impliedby ⟼:longmapsto ↪:hookrightarrow ↩:hookleftarrow ↑:uparrow ↓:downarrow ↕:updownarrow ⇑:Uparrow ⇓:Downarrow ' +
  '⇌:rightleftharpoons ⇀:rightharpoonup ↗:nearrow ↘:searrow ⇝:rightsquigarrow ↠:twoheadrightarrow ' +
  '∀:forall ∃:exists ∄:nexists ¬:neg ∅:emptyset ∞:infty ∂:partial ∇:nabla √:surd ∠:angle ∴:therefore ∵:because ℏ:hbar ℓ:ell ℜ:Re ' +
  'ℑ:Im ℘:wp ℵ:aleph ⊤:top □:square ◻:square ⋯:cdots …:ldots ⋮:vdots ⋱:ddots ′:prime ⟨:langle ⟩:rangle 〈:langle 〉:rangle ⌊:lfloor ⌋:rfloor ' +
  '⌈:lceil ⌉:rceil ‖:| ∎:blacksquare ⊲:triangleleft ⊳:triangleright ♯:sharp ♭:flat ♮:natural ı:imath ȷ:jmath';

export const TEX_SYMBOLS: ReadonlyMap<string, string> = pairs(`${GREEK} ${LARGE} ${SIGNS}`);

export const LARGE_OPERATORS: ReadonlySet<string> = new Set(pairs(LARGE).keys());

/** Signs that TeX writes as another sign, or as '' if they are invisible. */
export const SIGN_REPLACEMENTS: ReadonlyMap<string, string> = pairs(
  '−:- –:- ‐:- ∕:/ ∶:: ＝:= ⟂:\\perp \u2061: \u2062: \u2063: \u2064: \u200b: ' +
    '{:\\{ }:\\} %:\\% #:\\# $:\\$ &:\\& _:\\_ \\:\\backslash ~:\\sim',
);

export const TEX_FUNCTIONS: ReadonlySet<string> = new Set(
  'arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min Pr sec sin sinh sup tan tanh'.split(
    ' ',
  ),
);

export const COMMANDS_ABOVE: ReadonlyMap<string, string> = pairs(
  '→:vec ⃗:vec ˙:dot .:dot ¨:ddot ..:ddot ^:hat ˆ:hat ̂:hat ~:tilde ˜:tilde ∼:tilde ¯:bar ‾:overline _:overline ―:overline ―:overline −:overline ' +
    '⏞:overbrace ︷:overbrace ←:overleftarrow ↔:overleftrightarrow ˇ:check ˘:breve ´:acute `:grave ˚:mathring',
);

export const COMMANDS_BELOW: ReadonlyMap<string, string> = pairs(
  '_:underline ‾:underline ¯:underline ̲:underline ⏟:underbrace ︸:underbrace',
);

export const STYLE_COMMANDS: ReadonlyMap<string, string> = pairs(
  'bold:mathbf bold-italic:boldsymbol double-struck:mathbb script:mathcal bold-script:mathcal fraktur:mathfrak ' +
    'sans-serif:mathsf monospace:mathtt',
);

/** Last code point of a Unicode block, and the TeX command for its letters. */
export const STYLED_LETTER_BLOCKS: readonly (readonly [until: number, command: string])[] = [
  [0x1d433, 'mathbf'],
  [0x1d467, ''],
  [0x1d49b, 'boldsymbol'],
  [0x1d503, 'mathcal'],
  [0x1d537, 'mathfrak'],
  [0x1d56b, 'mathbb'],
  [0x1d59f, 'mathfrak'],
  [0x1d66f, 'mathsf'],
  [0x1d6a3, 'mathtt'],
  [0x1d6e1, 'mathbf'],
  [0x1d71b, ''],
  [0x1d755, 'boldsymbol'],
  [0x1d7cb, 'mathsf'],
  [0x1d7d7, 'mathbf'],
  [0x1d7e1, 'mathbb'],
  [0x1d7f5, 'mathsf'],
  [0x1d7ff, 'mathtt'],
];

/** These styled letters are in an older Unicode block. */
export const LETTERLIKE_COMMANDS: ReadonlyMap<string, string> = pairs(
  'ℂ:mathbb ℍ:mathbb ℕ:mathbb ℙ:mathbb ℚ:mathbb ℝ:mathbb ℤ:mathbb ℬ:mathcal ℰ:mathcal ℱ:mathcal ℋ:mathcal ℐ:mathcal ℒ:mathcal ' +
    'ℳ:mathcal ℛ:mathcal ℯ:mathcal ℊ:mathcal ℴ:mathcal ℭ:mathfrak ℌ:mathfrak ℨ:mathfrak',
);
