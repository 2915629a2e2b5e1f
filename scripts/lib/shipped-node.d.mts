export const SHIPPED_NODE: string
export const runsShippedNode: boolean
export function withShippedNode(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv>
