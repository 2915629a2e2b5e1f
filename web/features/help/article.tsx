import { useEffect, useRef } from 'react'
import { findScreen } from '#contract/screens.ts'
import { copyAndReport } from '#web/lib/copy-text.ts'
import { keepInView } from '#web/lib/keep-in-view.ts'
import { useHash } from '#web/lib/use-hash.ts'
import './article.css'

interface ArticleProps {
  html: string
  /** A link in the text leads to another screen. */
  onFollow: (address: string) => void
}

export function Article({ html, onFollow }: ArticleProps) {
  const article = useRef<HTMLDivElement>(null)
  const hash = useHash()
  useEffect(() => {
    const target = hash === '' ? null : article.current?.querySelector<HTMLElement>(`[id="${CSS.escape(hash)}"]`)
    return target ? keepInView(target) : undefined
  }, [hash])

  useEffect(() => {
    const element = article.current
    function onClick(event: MouseEvent) {
      const target = event.target instanceof Element ? event.target : null
      const copied = target?.closest('[data-copy]')?.parentElement?.querySelector('code')?.textContent
      if (copied) return void copyAndReport(copied, 'Скопировано')
      const link = target?.closest('a')
      const address = link && innerAddress(link, event, location.href)
      if (!address) return
      event.preventDefault()
      onFollow(address)
    }
    element?.addEventListener('click', onClick)
    return () => element?.removeEventListener('click', onClick)
  }, [onFollow])

  return (
    <div
      ref={article}
      className="prose"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: made by our renderer from files of the repository
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}

interface ClickedLink {
  href: string
  target: string
}

interface Click {
  button: number
  ctrlKey: boolean
  metaKey: boolean
  shiftKey: boolean
  altKey: boolean
}

/**
 * The in-app address of a clicked link, or null if the browser must handle it: an anchor on the same page,
 * a server file, another site or a new tab.
 */
export function innerAddress(link: ClickedLink, click: Click, here: string): string | null {
  if (click.button !== 0 || click.ctrlKey || click.metaKey || click.shiftKey || click.altKey) return null
  if (link.target !== '') return null
  const [from, to] = [new URL(here), new URL(link.href, here)]
  if (to.origin !== from.origin || !findScreen(to.pathname)) return null
  if (to.hash !== '' && to.pathname === from.pathname) return null
  return to.pathname + to.search + to.hash
}
