import { type ButtonHTMLAttributes, memo, type ReactNode, useState } from 'react'
import { useCopy } from '#web/lib/copy-text.ts'
import { saveBlob } from '#web/lib/save-file.ts'
import { Check, Copy, Download, TextWrap } from '#web/ui/icons.ts'
import { extensionOf, findLanguage, languageLabel } from './languages.ts'
import type { Token } from './tokens.ts'
import { useTokens } from './use-tokens.ts'
import './code.css'

/** Longer lines may not fit, on a phone most of all. */
const WIDE_LINE = /^.{41}/m
const hasWideLine = (code: string) => WIDE_LINE.test(code)

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
  const [isWrapped, setWrapped] = useState(false)
  const label = languageLabel(language)
  return (
    <figure
      className="code-block"
      aria-label={`Код, ${label}`}
      data-folded={isFolded || undefined}
      data-wrapped={isWrapped || undefined}
    >
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
        {hasWideLine(code) && (
          <IconAction
            label={isWrapped ? 'Не переносить строки' : 'Переносить строки'}
            icon={<TextWrap size={16} />}
            aria-pressed={isWrapped}
            onClick={() => setWrapped((wrapped) => !wrapped)}
          />
        )}
        {!isLive && (
          <IconAction
            label="Скачать"
            icon={<Download size={16} />}
            onClick={() => saveBlob(new Blob([code], { type: 'text/plain' }), `code.${extensionOf(language)}`)}
          />
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

interface IconActionProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  label: string
  icon: ReactNode
}

function IconAction({ label, icon, ...rest }: IconActionProps) {
  return (
    <button {...rest} type="button" className="code-action" aria-label={label} title={label}>
      {icon}
    </button>
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
