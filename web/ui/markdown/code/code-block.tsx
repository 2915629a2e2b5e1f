import { memo, useState } from 'react'
import { useCopy } from '#web/lib/copy-text.ts'
import { Check, Copy } from '#web/ui/icons.ts'
import { findLanguage, languageLabel } from './languages.ts'
import type { Token } from './tokens.ts'
import { useTokens } from './use-tokens.ts'
import './code.css'

interface CodeBlockProps {
  code: string
  /** The word after the opening fence. */
  language: string | null
  isLive: boolean
}

/** Code of more lines has a fold button. It never folds by itself: text that is being read must not move. */
const FOLDABLE = 30

export function CodeBlock({ code, language, isLive }: CodeBlockProps) {
  const highlighted = useTokens(code, findLanguage(language), isLive)
  const [isFolded, setFolded] = useState(false)
  const label = languageLabel(language)
  return (
    <figure className="code-block" aria-label={`Код, ${label}`} data-folded={isFolded || undefined}>
      <div className="code-head">
        <span className="code-label">{label}</span>
        {code.split('\n', FOLDABLE + 1).length > FOLDABLE && (
          <button
            type="button"
            className="code-action"
            aria-expanded={!isFolded}
            onClick={() => setFolded((folded) => !folded)}
          >
            {isFolded ? 'Развернуть' : 'Свернуть'}
          </button>
        )}
        <CopyButton text={code} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>
          {highlighted && <Tokens tokens={highlighted.tokens} />}
          {highlighted ? code.slice(highlighted.code.length) : code}
        </code>
      </pre>
    </figure>
  )
}

/** Confirms in its own label, which screen readers announce. */
function CopyButton({ text }: { text: string }) {
  const { isCopied, copy } = useCopy(text)
  return (
    <button type="button" className="code-action" onClick={copy}>
      {isCopied ? <Check size={16} /> : <Copy size={16} />}
      <span aria-live="polite">{isCopied ? 'Скопировано' : 'Копировать'}</span>
    </button>
  )
}

const Tokens = memo(function Tokens({ tokens }: { tokens: readonly Token[] }) {
  return tokens.map(renderToken)
})

function renderToken({ text, kind }: Token, key: number) {
  if (kind === null) return text
  return (
    <span key={key} className={`tok-${kind}`}>
      {text}
    </span>
  )
}
