import { useState } from 'react'
import type { Model } from '#contract/models.ts'
import { linksIn, MAX_NAMED_PAGES, type WebOptions, type WebSearch, webPrice } from '#contract/web-search.ts'
import { afterSending, chooseWeb, searchPrice, useWebChoice, type WebChoice } from './web-choice.ts'

export interface SearchControl {
  choice: WebChoice
  /** The most that such a search adds to this question. */
  priceOf: (search: WebSearch) => number
  onChange: (choice: WebChoice) => void
}

/** The web search of this chat and the pages of this draft; neither for image models. */
export function useWebOptions(userId: string, threadId: string | null, text: string, model: Model | null) {
  const [chosen, setPages] = useState<string[]>([])
  const price = searchPrice()
  const choice = useWebChoice(userId, threadId)
  const textModel = model?.kind === 'text' ? model : null
  const links = textModel && text.includes('://') ? linksIn(text).slice(0, MAX_NAMED_PAGES) : []
  const options: WebOptions = {
    search: textModel ? choice.search : false,
    pages: chosen.filter((page) => links.includes(page)),
  }
  const mostOf = (wanted: WebOptions) => {
    const { search, pages } = textModel ? webPrice(wanted, price ?? 0, textModel) : { search: 0, pages: 0 }
    return search + pages
  }
  const control: SearchControl | null =
    textModel && price !== null
      ? {
          choice,
          priceOf: (search) => mostOf({ ...options, search }) - mostOf({ ...options, search: false }),
          onChange: (next) => chooseWeb(userId, threadId, next),
        }
      : null
  return {
    options,
    control,
    links: {
      all: links,
      chosen: options.pages,
      /** The most that all chosen pages add together. */
      price: mostOf({ search: options.search, pages: links }) - mostOf({ ...options, pages: [] }),
      onChange: setPages,
    },
    cost: textModel && (options.search || options.pages.length > 0) ? webPrice(options, price ?? 0, textModel) : null,
    afterSending() {
      setPages([])
      afterSending(userId, threadId)
    },
  }
}

/** The fields of a request; what is not wanted is left out. */
export function asWebRequest({ search, pages }: WebOptions): { web?: WebSearch; pages?: string[] } {
  return { ...(search && { web: search }), ...(pages.length > 0 && { pages: [...pages] }) }
}
