/** An object like another one, but for some members; its methods keep their own `this`. */
export function overriding<T extends object>(object: T, own: Partial<T>): T {
  return new Proxy(object, {
    get(target, name) {
      if (name in own) return Reflect.get(own, name);
      const value = Reflect.get(target, name, target) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
