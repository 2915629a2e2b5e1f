import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { notify } from './notify.ts'

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

/** Puts the items into another order. */
export function useReorder(queryKey: QueryKey, send: (ids: string[]) => Promise<unknown>) {
  return useListMutation<Item, string[]>({ queryKey, apply: sortByIds, send })
}

interface Flag<Name extends string> {
  queryKey: QueryKey
  name: Name
  send: (id: string, change: Record<Name, boolean>) => Promise<unknown>
  /** What the toast says. */
  label: (name: string, value: boolean) => string
}

/** Sets a flag of an item; the toast can undo it. */
export function useSetFlag<Name extends string>({ queryKey, name, send, label }: Flag<Name>) {
  type Flagged = Item & Record<Name, boolean>
  const { mutate } = useListMutation<Flagged, { id: string; value: boolean }>({
    queryKey,
    apply: (items, { id, value }) => withChange(items, id, { [name]: value } as Partial<Flagged>),
    send: ({ id, value }) => send(id, { [name]: value } as Record<Name, boolean>),
  })
  return (item: Item & { name: string }, value: boolean) => {
    const title = label(item.name, value)
    const action = { label: 'Отменить', onClick: () => mutate({ id: item.id, value: !value }) }
    mutate({ id: item.id, value }, { onSuccess: () => notify.success({ id: `${name}:${item.id}`, title, action }) })
  }
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
