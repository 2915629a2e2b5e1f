import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'

/** Optimistic changes of a list in the query cache, rolled back when the server refuses. */

interface Item {
  id: string
}

/** The list in the order of `ids`, with the positions the server will give it. */
export function sortByIds<T extends Item>(items: readonly T[], ids: readonly string[]): T[] {
  const positions = new Map(ids.map((id, position) => [id, position]))
  const placed = items.map((item, position) => ({ ...item, position: positions.get(item.id) ?? position }))
  return placed.sort((a, b) => a.position - b.position)
}

export function withChange<T extends Item>(items: readonly T[], id: string, change: Partial<T>): T[] {
  return items.map((item) => (item.id === id ? { ...item, ...change } : item))
}

interface Action<T, Input> {
  queryKey: QueryKey
  apply: (items: T[], input: Input) => T[]
  send: (input: Input) => Promise<unknown>
}

export function useListMutation<T extends Item, Input>({ queryKey, apply, send }: Action<T, Input>) {
  const client = useQueryClient()
  const mutationKey = ['list', ...queryKey]
  return useMutation({
    mutationKey,
    // Sent one after another, so that the last change wins.
    scope: { id: mutationKey.join(':') },
    mutationFn: send,
    onMutate: (input) => {
      void client.cancelQueries({ queryKey })
      const before = client.getQueryData<T[]>(queryKey)
      if (before) client.setQueryData(queryKey, apply(before, input))
      return { before }
    },
    onError: (_error, _input, context) => client.setQueryData(queryKey, context?.before),
    onSettled: () => {
      if (client.isMutating({ mutationKey }) === 1) return client.invalidateQueries({ queryKey: queryKey.slice(0, 1) })
      return undefined
    },
  })
}
